/** `/v1/units/{unitId}` as Fastify writes it: `/v1/units/:unitId`. */
export function toRoute(path: string): string {
  return path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1')
}

/** Returns the names in braces; one that takes the rest of the path keeps its `*`. */
export function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+\*?)\}/g)].map(([, name]) => name ?? '')
}
