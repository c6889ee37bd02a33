import type { Relation, World } from './made-world.ts'
import { type QuestionKind, type Subject } from './question.ts'

/** Follows the edges of a project from a relation, without the relation itself. */
function closure(start: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...next(start)]
  for (const id of open) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...next(id))
  }
  return found
}

/** Computes what questions can be about in a project, with their answers, from its making alone. */
export function subjectsOf(world: World, kind: QuestionKind, phrasing: string): readonly Subject[] {
  const { relations } = world
  const byId = new Map(relations.map((one) => [one.id, one]))
  const models = relations.filter((one) => one.kind === 'model')
  const parents = (id: string): readonly string[] => byId.get(id)?.parents ?? []
  const children = (id: string): readonly string[] =>
    relations.filter((one) => one.parents.includes(id)).map((one) => one.id)
  const from = (name: string, expected: Iterable<string>): Subject => ({ name, expected: new Set(expected) })
  // who asks for models gets no exposures
  const dependents = (ids: Iterable<string>): readonly string[] =>
    [...ids].filter((id) => !/\bmodels\b/.test(phrasing) || id.startsWith('model.'))
  const each = (list: readonly Relation[], answer: (one: Relation) => Iterable<string>): readonly Subject[] =>
    list.map((one) => from(one.name, answer(one))).filter(({ expected }) => expected.size > 0)
  const whole = (expected: Iterable<string>): readonly Subject[] => [from('', expected)]
  const built = relations.filter((one) => one.kind !== 'exposure')
  const asked = /\bmodels?\b/.test(phrasing)
    ? models
    : /\bsources?\b/.test(phrasing)
      ? relations.filter((one) => one.kind === 'source')
      : built
  const unused = (list: readonly Relation[]): readonly string[] =>
    list.filter(({ id }) => children(id).length === 0).map(({ id }) => id)
  const columns = models.flatMap(({ columns: own, id, name }) =>
    [...(own ?? [])].map(([column]) => ({ id: `${id}:${column}`, name: `${name}.${column}` })),
  )
  const columnParents = (id: string): readonly string[] => {
    const mark = id.lastIndexOf(':')
    return byId.get(id.slice(0, mark))?.columns?.get(id.slice(mark + 1)) ?? []
  }
  const columnReaders = (id: string): readonly string[] =>
    models
      .filter((one) => [...(one.columns?.values() ?? [])].some((list) => list.includes(id)))
      .map((one) => one.id)
  const columnChildren = (id: string): readonly string[] =>
    models.flatMap((one) =>
      [...(one.columns ?? [])].flatMap(([column, list]) =>
        list.includes(id) ? [`${one.id}:${column}`] : [],
      ),
    )
  const answers: Readonly<Record<QuestionKind, () => readonly Subject[]>> = {
    breaks: () => each(built, ({ id }) => dependents(closure(id, children))),
    columnBreaks: () =>
      columns
        .map(({ id, name }) => {
          const readers = columnReaders(id)
          return from(
            name,
            dependents([...readers, ...readers.flatMap((one) => [...closure(one, children)])]),
          )
        })
        .filter(({ expected }) => expected.size > 0),
    readers: () => each(built, ({ id }) => dependents(children(id))),
    upstream: () => each(models, ({ id }) => closure(id, parents)),
    grandparents: () => each(models, ({ id }) => parents(id).flatMap((one) => [one, ...parents(one)])),
    sourcesOf: () =>
      each(models, ({ id }) => [...closure(id, parents)].filter((one) => one.startsWith('source.'))),
    downstream: () => each(built, ({ id }) => dependents(closure(id, children))),
    columnOrigin: () => columns.map(({ id, name }) => from(name, closure(id, columnParents))),
    columnLineage: () =>
      columns.map(({ id, name }) =>
        from(name, [...closure(id, columnParents), ...closure(id, columnChildren)]),
      ),
    rawColumn: () =>
      columns.map(({ id, name }) =>
        from(
          name,
          [...closure(id, columnParents)].filter((one) => one.startsWith('source.')),
        ),
      ),
    defined: () => each(models, ({ file }) => [file]),
    columns: () =>
      each(models, ({ columns: own, id }) => [...(own?.keys() ?? [])].map((name) => `${id}:${name}`)),
    tests: () => each(models, ({ id, tests }) => tests.map((test) => `test.${id}:${test}`)),
    missingTests: () => each(models, ({ missingTests }) => missingTests),
    untested: () => whole(models.filter(({ tests }) => tests.length === 0).map(({ id }) => id)),
    undocumented: () => whole(asked.filter(({ isDescribed }) => !isDescribed).map(({ id }) => id)),
    unusedSources: () => whole(unused(relations.filter((one) => one.kind === 'source'))),
    unusedModels: () => whole(unused(models)),
    drift: () =>
      phrasing.includes('{x}')
        ? relations
            .filter((one) => one.kind === 'source')
            .map(({ id, name }) =>
              from(
                name,
                world.drifts.filter((drift) => drift.startsWith(`${id}:`)),
              ),
            )
            .filter(({ expected }) => expected.size > 0)
        : whole(world.drifts),
    wrong: () =>
      each(models, ({ file }) =>
        world.view
          .report()
          .findings.filter((one) => one.path === file || one.subject.name === byName(file))
          .map(({ fingerprint }) => `finding.${fingerprint.slice(0, 16)}`),
      ),
    rule: () => ['SC107', 'SC203', 'SC401'].map((rule) => from(rule, [rule])),
    countModels: () => whole([String(models.length)]),
    sources: () => whole(relations.filter((one) => one.kind === 'source').map(({ id }) => id)),
    overview: () => whole([`source.${world.name}`]),
    columnByWords: () => [...world.words].map(([words, id]) => from(words, [id])),
    materialized: () =>
      each(
        models.filter((one) => one.materialized !== undefined),
        ({ materialized }) => [`"${materialized}"`],
      ),
    conventions: () => whole(world.settings),
  }
  return answers[kind]()
}

function byName(file: string): string {
  return file.replace(/^.*\/|\.sql$/g, '')
}
