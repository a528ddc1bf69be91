import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from spaces.isolation import isolate


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0012_ids_within_spaces'),
        ('spaces', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CommonWords',
            fields=[
                ('space', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='spaces.space')),
                ('counts', models.JSONField(default=dict)),
                ('memories', models.PositiveIntegerField()),
                ('counted_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        isolate('memories_commonwords'),
    ]
