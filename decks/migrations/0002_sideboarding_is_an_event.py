from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("decks", "0001_decks")]

    operations = [migrations.DeleteModel(name="Exchange")]
