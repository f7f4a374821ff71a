import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from events import sql


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel(
            name="Stream",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=20)),
                ("seats", models.PositiveSmallIntegerField()),
                ("genesis", models.BinaryField(max_length=32)),
                ("at_ms", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("seats__lte", 64)), name="stream_seats_at_most_64")
                ]
            },
        ),
        migrations.CreateModel(
            name="StreamSecret",
            fields=[
                (
                    "stream",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="secret",
                        serialize=False,
                        to="events.stream",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("pos", models.BigAutoField(primary_key=True, serialize=False)),
                ("stream", models.CharField(max_length=40)),
                ("seq", models.IntegerField()),
                ("actor", models.CharField(max_length=40)),
                ("cmd", models.CharField(max_length=64)),
                ("do", models.CharField(max_length=40)),
                ("at_ms", models.BigIntegerField()),
                ("envelope", models.BinaryField()),
                ("sealed", models.BinaryField()),
                ("prev", models.BinaryField(max_length=32)),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={"managed": False, "db_table": "events_event"},
        ),
        migrations.RunPython(sql.create, sql.drop),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stream", models.CharField(max_length=40)),
                ("seq", models.IntegerField()),
                ("schema", models.IntegerField()),
                ("hash", models.BinaryField(max_length=32)),
                ("state", models.BinaryField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("stream", "schema", "seq"), name="snapshot_once")]
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("stream", models.CharField(max_length=40)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="participations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("stream", "person"), name="participant_once")]},
        ),
        migrations.CreateModel(
            name="Text",
            fields=[
                ("commitment", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("stream", models.CharField(db_index=True, max_length=40)),
                ("author", models.CharField(db_index=True, max_length=40)),
                ("salt", models.BinaryField(max_length=32)),
                ("text", models.TextField()),
            ],
        ),
    ]
