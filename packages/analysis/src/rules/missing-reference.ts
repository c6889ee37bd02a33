import type { LintProject } from '../project/lint-project.ts'
import type { PlacedReference } from '../project/references.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import type { Subject } from '../vocabulary.ts'
import { nearest } from './nearest.ts'
import { isDisabled } from './subjects.ts'

/** What dbt finds out after minutes of parsing, at once and all of it. */
export const missingReference = {
  id: 'SC308',
  name: 'missing-reference',
  group: 'properties',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'a ref, source or doc names something that is not there',
  docs: {
    why: 'dbt stops at the first reference that leads nowhere; a test that refers to a missing model is dropped with a warning.',
    example: { language: 'sql', code: "select * from {{ ref('stg_shop__ordres') }}" },
    remedy: 'Correct the name, or add what it refers to.',
  },
  check: (project) => {
    const known = namesOf(project)
    return placedReferences(project).flatMap(
      ({ reference, subject }) => judge(project, known, { reference, subject }) ?? [],
    )
  },
} satisfies Rule

interface Known {
  readonly models: ReadonlySet<string>
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>
  readonly docs: ReadonlySet<string>
}

function namesOf({ index, packages, properties }: LintProject): Known {
  const sources = new Map<string, Set<string>>()
  for (const { name, tables } of index.sources)
    sources.set(name, new Set([...(sources.get(name) ?? []), ...tables.map((table) => table.name)]))
  return {
    models: new Set([
      ...index.models.map(({ name }) => name),
      ...properties.flatMap(({ entries }) =>
        entries('snapshots').flatMap(({ get, name }) => (get('relation') === undefined ? [] : [name])),
      ),
      ...packages.models,
      // A file that cannot be read may hold it.
      ...index.faults.map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
    ]),
    sources,
    docs: new Set([...index.docs.map(({ name }) => name), ...packages.docs]),
  }
}

interface Placed {
  readonly reference: PlacedReference
  readonly subject: Subject
}

/** References that dbt follows: those of models that are built, and of properties. Macros count only where they are called. */
function placedReferences(project: LintProject): readonly Placed[] {
  const ofModels = project.index.models
    .filter((model) => isDisabled(project, model) === false)
    .flatMap(({ kind, name, path }) =>
      (project.references.get(path) ?? []).map((reference) => ({ reference, subject: { kind, name } })),
    )
  const ofProperties = project.propertyReferences.map((reference) => ({
    reference,
    subject: { kind: 'file' as const, name: reference.place.path },
  }))
  return [...ofModels, ...ofProperties]
}

function judge(
  project: LintProject,
  known: Known,
  { reference, subject }: Placed,
): Hit | Unchecked | undefined {
  const missing = missingIn(project, known, reference)
  if (!missing) return undefined
  const about = { ...subject, detail: missing.what }
  const { missing: packages } = project.packages
  if (packages.length > 0 && missing.mayBePackaged)
    return {
      subject: about,
      unchecked: `packages that may have it are not installed: ${packages.join(', ')}`,
    }
  return {
    message: `there is no ${missing.what}`,
    help: missing.closest === undefined ? missing.help : `did you mean ${missing.closest}?`,
    place: reference.place,
    subject: about,
  }
}

interface Missing {
  readonly what: string
  readonly closest: string | undefined
  readonly help: string
  readonly mayBePackaged: boolean
}

function missingIn(project: LintProject, known: Known, reference: PlacedReference): Missing | undefined {
  const own = project.index.settings.name
  const { docs, model, source } = reference
  if (model) return missingModel(model.package, model.model, { known, own })
  if (source) {
    const tables = known.sources.get(source.source)
    if (tables?.has(source.table) || project.packages.hasSource(source.source, source.table)) return undefined
    const what = tables ? `table ${source.table} in source ${source.source}` : `source ${source.source}`
    const closest = nearest(tables ? source.table : source.source, tables ?? known.sources.keys())
    return { what, closest, help: 'declare it below sources: in a YAML file', mayBePackaged: true }
  }
  if (!docs || (docs.package !== undefined && docs.package !== own) || known.docs.has(docs.name))
    return undefined
  const help = `add {% docs ${docs.name} %} to a Markdown file`
  return {
    what: `docs block ${docs.name}`,
    closest: nearest(docs.name, known.docs),
    help,
    mayBePackaged: true,
  }
}

function missingModel(
  home: string | undefined,
  name: string,
  { known, own }: { readonly known: Known; readonly own: string },
): Missing | undefined {
  if ((home !== undefined && home !== own) || known.models.has(name)) return undefined
  const help = 'add the model, or correct the name'
  return {
    what: `model ${name}`,
    closest: nearest(name, known.models),
    help,
    mayBePackaged: home === undefined,
  }
}
