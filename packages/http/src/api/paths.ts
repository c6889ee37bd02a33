/** Converts a path to Fastify's form: `/v1/units/{unitId}` to `/v1/units/:unitId`. */
export function toRoute(path: string): string {
  return path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1')
}

/** Returns the names in braces. A name for the rest of the path keeps its `*`. */
export function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+\*?)\}/g)].map(([, name]) => name ?? '')
}
