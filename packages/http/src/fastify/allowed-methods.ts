import type { FastifyInstance } from 'fastify'

interface Known {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** Notes the routes as they are added, to tell which methods a path knows: `/v1/units/unit_1` is `/v1/units/:id`. */
export function allowedMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ method, url }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const one of [method].flat()) entry.methods.add(one)
    known.set(url, entry)
  })
  return (path) =>
    [...known.values()].flatMap(({ methods, pattern }) => (pattern.test(path) ? [...methods] : []))
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${parts.join('/')}$`)
}
