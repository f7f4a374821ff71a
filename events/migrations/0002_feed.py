from django.db import migrations, models

from events import feed_sql


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0001_store"),
    ]

    operations = [
        migrations.CreateModel(
            name="Feed",
            fields=[
                ("pos", models.BigIntegerField(primary_key=True, serialize=False)),
                ("event", models.BigIntegerField(unique=True)),
            ],
            options={
                "db_table": "events_feed",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                ("root", models.BinaryField(max_length=32)),
                ("key", models.CharField(max_length=16)),
                ("at_ms", models.BigIntegerField()),
                ("body", models.BinaryField()),
                ("signature", models.BinaryField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Cursor",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("pos", models.BigIntegerField(default=0)),
                ("fault", models.TextField(default="")),
                ("tries", models.PositiveIntegerField(default=0)),
                ("retry_ms", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="DeadlineMark",
            fields=[
                ("stream", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("seq", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("at_ms", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="SigningKey",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("public", models.BinaryField(max_length=32)),
                ("from_ms", models.BigIntegerField()),
                ("until_ms", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Deadline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stream", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=64)),
                ("due_ms", models.BigIntegerField()),
                ("actor", models.CharField(max_length=40)),
                ("action", models.JSONField()),
                ("next_ms", models.BigIntegerField(db_index=True)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("fault", models.TextField(default="")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("stream", "key"), name="deadline_once")],
            },
        ),
        migrations.CreateModel(
            name="Sequencer",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("xid", models.CharField(default="0", max_length=20)),
                ("cluster", models.CharField(default="", max_length=20)),
                ("origin", models.CharField(default="", max_length=100)),
                ("tree_size", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="one_sequencer")],
            },
        ),
        migrations.CreateModel(
            name="Tile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("hashes", models.BinaryField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("level", "number"), name="tile_once")],
            },
        ),
        migrations.RunPython(feed_sql.create, feed_sql.drop),
    ]
