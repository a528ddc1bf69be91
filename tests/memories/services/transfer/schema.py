"""Write the schema of the export format anew: python -m tests.memories.services.transfer.schema."""

import json
from pathlib import Path

from memories.rules.transfer import ExportFile

SCHEMA = Path(__file__).parents[4] / "docs/export-format.schema.json"

if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(ExportFile.model_json_schema(), indent=2) + "\n")
