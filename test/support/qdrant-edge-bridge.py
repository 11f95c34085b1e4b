"""Qdrant's own engine behind its REST interface, for the contract suite where no Qdrant server can be had.

Qdrant Edge is the storage and search engine of Qdrant as a library (PyPI: qdrant-edge-py, Apache-2.0). This bridge
holds every body against the models of the official Python client and hands it to an Edge shard. Points, filters,
scores, IDF, facets and counts are the engine's; collections, aliases and "query by id" are this file's.

    python -m venv venv && venv/bin/pip install qdrant-edge-py==0.9.0 qdrant-client==1.19.0
    venv/bin/python test/support/qdrant-edge-bridge.py 6333      then   QDRANT_URL=http://127.0.0.1:6333
"""

import json
import re
import shutil
import sys
import tempfile
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse

import qdrant_edge as edge
from pydantic import TypeAdapter
from qdrant_client.http import models

VERSION = "1.19.0"
lock = threading.Lock()
collections, aliases = {}, {}


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Collection:
    def __init__(self, body):
        self.folder = tempfile.mkdtemp(prefix="edge-")
        self.indexes = {}
        dense = {
            name: edge.EdgeVectorParams(size=each["size"], distance=getattr(edge.Distance, each["distance"]))
            for name, each in (body.get("vectors") or {}).items()
        }
        sparse = {
            name: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if each.get("modifier") == "idf" else None)
            for name, each in (body.get("sparse_vectors") or {}).items()
        }
        if not dense and not sparse:
            sparse = {"unused": edge.EdgeSparseVectorParams()}  # Edge, unlike the server, wants one vector at least
        self.shard = edge.EdgeShard.create(self.folder, edge.EdgeConfig(vectors=dense, sparse_vectors=sparse))

    def drop(self):
        self.shard.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def as_vector(value):
    return edge.SparseVector(value["indices"], value["values"]) if isinstance(value, dict) else value


def as_json(value):
    if isinstance(value, edge.SparseVector):
        return {"indices": value.indices, "values": value.values}
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items()}
    return str(value) if isinstance(value, uuid.UUID) else value


def as_condition(body):
    if "has_id" in body:
        return edge.HasIdCondition(set(body["has_id"]))
    if "is_empty" in body:
        return edge.IsEmptyCondition(body["is_empty"]["key"])
    if "key" not in body:
        return as_filter(body)
    if body.get("range"):
        bounds = {key: bound for key, bound in body["range"].items() if bound is not None}
        return edge.FieldCondition(body["key"], range=edge.RangeFloat(**bounds))
    match = body["match"]
    wanted = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    return edge.FieldCondition(body["key"], match=wanted)


def as_filter(body):
    if not body:
        return None
    parts = {key: [as_condition(each) for each in body[key]] for key in ("must", "should", "must_not") if body.get(key)}
    return edge.Filter(**parts) if parts else None


def shown(record, body):
    point = {"id": as_json(record.id)}
    if body.get("with_payload"):
        point["payload"] = record.payload or {}
    if body.get("with_vector"):
        point["vector"] = as_json(record.vector or {})
    return point


def query(collection, body):
    target, using, clauses = body["query"], body["using"], body.get("filter") or {}
    if isinstance(target, (str, int)):
        found = collection.shard.retrieve([target], False, [using])
        if not found:
            raise Refusal(404, f"Not found: No point with id {target} found")
        vector = (found[0].vector or {}).get(using)
        if vector is None:
            raise Refusal(404, f"Not found: Vector with name {using} for point {target}")
        clauses = {**clauses, "must_not": [*(clauses.get("must_not") or []), {"has_id": [target]}]}
        target = vector
    params = edge.SearchParams(hnsw_ef=body["params"].get("hnsw_ef")) if body.get("params") else None
    request = edge.QueryRequest(
        limit=body.get("limit", 10),
        query=edge.Query.Nearest(as_vector(target), using),
        filter=as_filter(clauses),
        score_threshold=body.get("score_threshold"),
        with_payload=body.get("with_payload"),
        params=params,
    )
    points = collection.shard.query(request)
    return {"points": [{**shown(each, {**body, "with_vector": False}), "version": 0, "score": each.score} for each in points]}


def upsert(collection, body):
    points = [
        edge.Point(each["id"], {name: as_vector(value) for name, value in each["vector"].items()}, each.get("payload"))
        for each in body["points"]
    ]
    collection.shard.update(edge.UpdateOperation.upsert_points(points, condition=as_filter(body.get("update_filter"))))


def delete(collection, body):
    if body.get("points"):
        collection.shard.update(edge.UpdateOperation.delete_points(body["points"]))
    if body.get("filter"):
        collection.shard.update(edge.UpdateOperation.delete_points_by_filter(as_filter(body["filter"])))


def scroll(collection, body):
    points, offset = collection.shard.scroll(
        edge.ScrollRequest(
            offset=body.get("offset"),
            limit=body.get("limit"),
            filter=as_filter(body.get("filter")),
            with_payload=body.get("with_payload"),
            with_vector=body.get("with_vector"),
        )
    )
    return {"points": [shown(each, body) for each in points], "next_page_offset": as_json(offset)}


def index(collection, body):
    schema = body["field_schema"]
    kind = schema if isinstance(schema, str) else schema["type"]
    rest = {} if isinstance(schema, str) else {key: value for key, value in schema.items() if key != "type"}
    params = {"keyword": edge.KeywordIndexParams, "integer": edge.IntegerIndexParams, "float": edge.FloatIndexParams}[kind]
    collection.shard.update(edge.UpdateOperation.create_field_index(body["field_name"], params(**rest)))
    collection.indexes[body["field_name"]] = kind


def facet(collection, body):
    hits = collection.shard.facet(edge.FacetRequest(body["key"], body.get("limit", 10), body.get("exact", False), as_filter(body.get("filter"))))
    return {"hits": [{"value": each.value, "count": each.count} for each in hits.hits]}


def count(collection, body):
    return {"count": collection.shard.count(edge.CountRequest(exact=True, filter=as_filter(body.get("filter"))))}


def change_aliases(_, body):
    for action in body["actions"]:
        if "delete_alias" in action:
            aliases.pop(action["delete_alias"]["alias_name"], None)
        if "create_alias" in action:
            aliases[action["create_alias"]["alias_name"]] = action["create_alias"]["collection_name"]
    return True


def create(name, body):
    if name in collections:
        raise Refusal(409, f"Wrong input: Collection `{name}` already exists!")
    collections[name] = Collection(body)
    return True


def drop(name):
    collection = collections.pop(name, None)
    if collection:
        collection.drop()
    return collection is not None


def retrieve(collection, body):
    return [shown(each, body) for each in collection.shard.retrieve(body["ids"], body.get("with_payload"), body.get("with_vector"))]


def describe(collection, _):
    schema = {key: {"data_type": kind, "points": 0} for key, kind in collection.indexes.items()}
    return {"status": "green", "payload_schema": schema}


ROUTES = [
    ("GET", r"/collections/([^/]+)", None, describe),
    ("PUT", r"/collections/([^/]+)/index", models.CreateFieldIndex, index),
    ("PUT", r"/collections/([^/]+)/points", models.PointInsertOperations, upsert),
    ("POST", r"/collections/([^/]+)/points", models.PointRequest, retrieve),
    ("POST", r"/collections/([^/]+)/points/delete", models.PointsSelector, delete),
    ("POST", r"/collections/([^/]+)/points/scroll", models.ScrollRequest, scroll),
    ("POST", r"/collections/([^/]+)/points/count", models.CountRequest, count),
    ("POST", r"/collections/([^/]+)/facet", models.FacetRequest, facet),
    ("POST", r"/collections/([^/]+)/points/query", models.QueryRequest, query),
    ("POST", r"/collections/([^/]+)/points/query/batch", models.QueryRequestBatch, lambda c, body: [query(c, each) for each in body["searches"]]),
]


def answer(method, path, body):
    if path == "/":
        return {"title": "Qdrant Edge behind a bridge", "version": VERSION}
    if (method, path) == ("GET", "/collections"):
        return {"collections": [{"name": name} for name in collections]}
    if (method, path) == ("GET", "/aliases"):
        return {"aliases": [{"alias_name": alias, "collection_name": name} for alias, name in aliases.items()]}
    if (method, path) == ("POST", "/collections/aliases"):
        TypeAdapter(models.ChangeAliasesOperation).validate_python(body)
        return change_aliases(None, body)
    if method == "GET" and path.endswith("/exists"):
        return {"exists": path.split("/")[2] in collections}
    name = path.split("/")[2]
    if method == "DELETE":
        return drop(name)
    if method == "PUT" and path.count("/") == 2:
        TypeAdapter(models.CreateCollection).validate_python(body)
        return create(name, body)
    for verb, pattern, schema, handler in ROUTES:
        if verb != method or not re.fullmatch(pattern, path):
            continue
        if schema is not None:
            TypeAdapter(schema).validate_python(body)
        collection = collections.get(aliases.get(name, name))
        if collection is None:
            raise Refusal(404, f"Not found: Collection `{name}` doesn't exist!")
        result = handler(collection, body)
        return {"operation_id": 0, "status": "completed"} if result is None else result
    raise Refusal(404, f"no route for {method} {path}")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        path = urlparse(self.path).path
        try:
            with lock:
                result = answer(self.command, path, body)
            status, reply = 200, result if path == "/" else {"result": result, "status": "ok", "time": 0}
        except Refusal as error:
            status, reply = error.status, {"status": {"error": str(error)}, "time": 0}
        except Exception as error:  # what the engine refuses is the caller's mistake
            print(self.command, path, error, file=sys.stderr)
            status, reply = 400, {"status": {"error": str(error)}, "time": 0}
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PUT = do_POST = do_DELETE = handle_any

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 6333), Handler).serve_forever()
