/** Normalizes a vector to length 1 in place; returns null when it has no direction (all zeros, or values that are not finite). */
export const toUnit = (vector: Float32Array): Float32Array | null => {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return null;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) / length;
  return vector;
};
