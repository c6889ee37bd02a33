"""Reads events of OpenLineage, one to a line, with the classes of its client, which are made from its schema, and prints
what these write. They refuse what the schema does not know and times and addresses that are none."""
import json
import sys

from openlineage.client.generated.base import InputDataset, Job, JobEvent, OutputDataset
from openlineage.client.generated.column_lineage_dataset import ColumnLineageDatasetFacet, Fields, InputField
from openlineage.client.serde import Serde


def facet(data):
    fields = {
        name: Fields(inputFields=[InputField(**one) for one in field.pop("inputFields")], **field)
        for name, field in data.pop("fields").items()
    }
    urls = data.pop("_schemaURL"), data.pop("_producer")
    made = ColumnLineageDatasetFacet(fields=fields, producer=urls[1], **data)
    assert made._schemaURL == urls[0], (made._schemaURL, urls[0])
    return made


def output(data):
    facets = {name: facet(one) for name, one in data.pop("facets", {}).items()}
    return OutputDataset(facets=facets, **data)


def read(line):
    data = json.loads(line)
    schema = data.pop("schemaURL")
    event = JobEvent(
        job=Job(**data.pop("job")),
        inputs=[InputDataset(**one) for one in data.pop("inputs")],
        outputs=[output(one) for one in data.pop("outputs")],
        **data,
    )
    assert event.schemaURL == schema, (event.schemaURL, schema)
    return json.loads(Serde.to_json(event))


print(json.dumps([read(line) for line in sys.stdin]))
