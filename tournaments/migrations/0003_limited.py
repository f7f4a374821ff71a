from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_desk")]

    operations = [
        migrations.CreateModel(
            name="PodDraft",
            fields=[
                ("draft", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("tournament", models.CharField(max_length=40)),
                ("stage", models.PositiveSmallIntegerField()),
                ("pod", models.PositiveIntegerField()),
                ("reported", models.BooleanField(default=False)),
            ],
        ),
        migrations.AddIndex(
            model_name="poddraft",
            index=models.Index(fields=["tournament", "reported"], name="tournaments_drafts"),
        ),
    ]
