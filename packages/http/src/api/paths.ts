/** `/v1/units/{unitId}` as Fastify writes it: `/v1/units/:unitId`. */
export function toRoute(path: string): string {
  return path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1')
}

/** The names in braces, `*` included for the one that takes the rest. */
export function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+\*?)\}/g)].map(([, name]) => name ?? '')
}

/** A path with values in its braces. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })
}
