/** The points of the Qdrant stand-in: filters, scores and facets as Qdrant documents them, computed by brute force. */

export type Json = Record<string, unknown>;

interface Sparse {
  readonly indices: number[];
  readonly values: number[];
}

export interface Point {
  readonly id: string | number;
  readonly vector: Readonly<Record<string, number[] | Sparse>>;
  readonly payload: Json;
}

export interface StandInCollection {
  readonly settings: Json;
  readonly points: Map<string | number, Point>;
  /** The type of each payload index by key. */
  readonly indexes: Map<string, string>;
}

export interface QueryBody extends Json {
  readonly query: string | number | number[] | Sparse;
  readonly using: string;
  readonly limit?: number;
  readonly score_threshold?: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the point as stored (sparse values as 32-bit floats, cosine vectors normalised to length 1) or an error message. */
export function storedPoint(point: Json, settings: Json): Point | string {
  const id = point.id as string | number;
  if (typeof id === 'string' && !UUID.test(id)) return `value ${id} is not a valid point ID`;
  const vector: Record<string, number[] | Sparse> = {};
  for (const [name, value] of Object.entries(point.vector as Record<string, number[] | Sparse>)) {
    const dense = (settings.vectors as Record<string, { size: number }> | undefined)?.[name];
    const sparse = (settings.sparse_vectors as Json | undefined)?.[name];
    if (Array.isArray(value)) {
      if (!dense) return `Not existing vector name error: ${name}`;
      if (value.length !== dense.size)
        return `Vector dimension error: expected dim: ${dense.size}, got ${value.length}`;
      const length = Math.sqrt(value.reduce((sum, each) => sum + each * each, 0)) || 1;
      vector[name] = value.map((each) => Math.fround(each / length));
    } else {
      if (!sparse) return `Not existing vector name error: ${name}`;
      if (new Set(value.indices).size !== value.indices.length) return 'indices: must be unique';
      if (value.indices.length !== value.values.length) return 'values: must be the same length as indices';
      if (value.indices.some((index) => !Number.isInteger(index) || index < 0 || index > 0xffffffff))
        return 'indices: u32';
      vector[name] = { indices: value.indices, values: value.values.map(Math.fround) };
    }
  }
  return { id, vector, payload: structuredClone((point.payload as Json | undefined) ?? {}) };
}

/** Returns whether the point meets all of `must`, any of `should` and none of `must_not`. */
export function matches(point: Point, filter: unknown): boolean {
  if (!filter) return true;
  const { must, should, must_not } = filter as Record<string, Json[] | undefined>;
  const holds = (condition: Json) => meets(point, condition);
  return (must ?? []).every(holds) && (!should?.length || should.some(holds)) && !(must_not ?? []).some(holds);
}

function meets(point: Point, condition: Json): boolean {
  if (condition.has_id) return (condition.has_id as unknown[]).includes(point.id);
  if (condition.is_empty) return valuesAt(point, String((condition.is_empty as Json).key)).length === 0;
  if (condition.must || condition.should || condition.must_not) return matches(point, condition);
  const values = valuesAt(point, String(condition.key));
  if (condition.range)
    return values.some((value) => typeof value === 'number' && within(value, condition.range as Json));
  const match = condition.match as { value?: unknown; any?: unknown[] };
  return values.some((value) => (match.any ? match.any.includes(value) : match.value === value));
}

function within(value: number, { gte, gt, lte, lt }: Json): boolean {
  const at = (bound: unknown, holds: (bound: number) => boolean) => typeof bound !== 'number' || holds(bound);
  return (
    at(gte, (bound) => value >= bound) &&
    at(gt, (bound) => value > bound) &&
    at(lte, (bound) => value <= bound) &&
    at(lt, (bound) => value < bound)
  );
}

/** Returns the values at a dotted key: the members of a list, or none for null or a missing key. */
function valuesAt({ payload }: Point, key: string): unknown[] {
  const value = key
    .split('.')
    .reduce<unknown>((at, part) => (Object.hasOwn(Object(at), part) ? (at as Json)[part] : undefined), payload);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Counts the matching points for each value of a key, most frequent first. */
export function facet({ points }: StandInCollection, body: Json): { value: unknown; count: number }[] {
  const counts = new Map<unknown, number>();
  for (const point of points.values()) {
    if (!matches(point, body.filter)) continue;
    for (const value of new Set(valuesAt(point, String(body.key)))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const hits = [...counts].map(([value, count]) => ({ value, count }));
  hits.sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  return hits.slice(0, Number(body.limit ?? 10));
}

/** Returns the nearest points, best first, or an error message. Ties are in reverse storage order; Qdrant defines none. */
export function query(collection: StandInCollection, body: QueryBody): { point: Point; score: number }[] | string {
  const { using, limit = 10, score_threshold } = body;
  let target = body.query;
  if (typeof target === 'string' || typeof target === 'number') {
    const point = collection.points.get(target);
    if (!point) return `Not found: No point with id ${target} found`;
    const own = point.vector[using];
    if (!own) return `Not found: Vector with name ${using} not found in point ${target}`;
    target = own;
  }
  const score = Array.isArray(target) ? cosineWith(target) : sparseWith(collection, using, target);
  return [...collection.points.values()]
    .reverse()
    .filter((point) => point.id !== body.query && point.vector[using] && matches(point, body.filter))
    .map((point) => ({ point, score: score(point.vector[using]!) }))
    .filter((found) => found.score !== null && (score_threshold === undefined || found.score >= score_threshold))
    .map(({ point, score: value }) => ({ point, score: Math.fround(value ?? 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function cosineWith(target: readonly number[]): (vector: number[] | Sparse) => number | null {
  const length = Math.sqrt(target.reduce((sum, value) => sum + value * value, 0)) || 1;
  return (vector) => (vector as number[]).reduce((sum, value, i) => sum + (value * target[i]!) / length, 0);
}

/** Computes the dot product over shared dimensions, if any; `modifier: idf` weights the query values first. */
function sparseWith(collection: StandInCollection, using: string, target: Sparse) {
  const { modifier } = ((collection.settings.sparse_vectors as Json)[using] ?? {}) as { modifier?: string };
  const holders = [...collection.points.values()]
    .map((point) => new Set((point.vector[using] as Sparse | undefined)?.indices))
    .filter((indices) => indices.size > 0);
  const weights = new Map(
    target.indices.map((index, i) => {
      const holding = holders.filter((indices) => indices.has(index)).length;
      const idf = modifier === 'idf' ? Math.log((holders.length - holding + 0.5) / (holding + 0.5) + 1) : 1;
      return [index, target.values[i]! * idf];
    }),
  );
  return (vector: number[] | Sparse): number | null => {
    const { indices, values } = vector as Sparse;
    let sum = 0;
    let shared = false;
    indices.forEach((index, i) => {
      const weight = weights.get(index);
      if (weight === undefined) return;
      shared = true;
      sum += weight * values[i]!;
    });
    return shared ? sum : null;
  };
}
