import type { IndexedModel, ModelReference } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { PlacedReference } from '../project/references.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import type { Subject } from '../vocabulary.ts'
import { nearest, nearestModel } from './nearest.ts'
import { isDisabled, isWorkedOut, list } from './subjects.ts'

/** dbt finds these errors one by one after minutes of parsing; this rule finds all at once. */
export const missingReference = {
  id: 'SC308',
  name: 'missing-reference',
  group: 'properties',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'a ref, source or doc names something that does not exist',
  docs: {
    why: 'dbt stops at the first broken reference. It drops a test of a missing model with a warning.',
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
  /** The models of the project itself, if all their versions are known. */
  readonly own: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  /** The versions of models that have any, by their names. */
  readonly versions: ReadonlyMap<string, readonly string[]>
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>
  readonly docs: ReadonlySet<string>
}

function namesOf({ index, packages, properties }: LintProject): Known {
  const sources = new Map<string, Set<string>>()
  for (const { name, tables } of index.sources)
    sources.set(name, new Set([...(sources.get(name) ?? []), ...tables.map((table) => table.name)]))
  return {
    // An unreadable file of properties may define versions.
    own: new Set(index.faults.length > 0 ? [] : index.models.map(({ name }) => name)),
    models: new Set([
      ...index.models.map(({ name }) => name),
      ...properties.flatMap(({ entries }) =>
        entries('snapshots').flatMap(({ get, name }) => (get('relation') === undefined ? [] : [name])),
      ),
      ...packages.models,
      // An unreadable file may define it.
      ...index.faults.map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
    ]),
    versions: versionsOf(index.models),
    sources,
    docs: new Set([...index.docs.map(({ name }) => name), ...packages.docs]),
  }
}

function versionsOf(models: readonly IndexedModel[]): Known['versions'] {
  const named = Map.groupBy(
    models.filter(({ version }) => version !== undefined),
    ({ name }) => name,
  )
  return new Map([...named].map(([name, all]) => [name, all.flatMap(({ version }) => version ?? [])]))
}

interface Placed {
  readonly reference: PlacedReference
  readonly subject: Subject
}

/** Returns the references that dbt follows: those of built models and of properties. Macros only count if called. */
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
  if (!missing || isWorkedOut(missing.what)) return undefined
  const about = { ...subject, detail: missing.what }
  const { missing: packages } = project.packages
  if (missing.home !== undefined)
    return { subject: about, unchecked: `the package ${missing.home} is not installed` }
  if (packages.length > 0 && missing.mayBePackaged)
    return {
      subject: about,
      unchecked: `packages that may contain it are not installed: ${packages.join(', ')}`,
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
  /** The package that it is in, if that is not installed. @default it is installed, or not named */
  readonly home?: string
}

function missingIn(project: LintProject, known: Known, reference: PlacedReference): Missing | undefined {
  const own = project.index.settings.name
  const { docs, model, source } = reference
  if (model)
    return model.package === undefined || model.package === own
      ? missingModel(model, { known, own })
      : missingPackaged(model, model.package, project.packages)
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

/** `ref('shop', 'orders')` of another package, which may be another project too. */
function missingPackaged(
  { model: name }: ModelReference,
  home: string,
  { installed }: LintProject['packages'],
): Missing | undefined {
  const models = installed.get(home)
  if (models?.has(name)) return undefined
  const what = `model ${name} in package ${home}`
  const help = 'correct the name, or install another version of the package'
  if (!models) return { what, closest: undefined, help, mayBePackaged: true, home }
  return { what, closest: nearest(name, models.keys()), help, mayBePackaged: false }
}

function missingModel(
  { model: name, package: home, version }: ModelReference,
  { known, own }: { readonly known: Known; readonly own: string },
): Missing | undefined {
  if (home !== undefined && home !== own) return undefined
  const mayBePackaged = home === undefined
  // dbt also takes the model orders.v2 for version 2 of orders.
  if (version !== undefined && known.models.has(`${name}.v${version}`)) return undefined
  if (!known.models.has(name)) {
    const help = 'add the model, or correct the name'
    return { what: `model ${name}`, closest: nearestModel(name, known.models), help, mayBePackaged }
  }
  const versions = known.versions.get(name) ?? []
  if (version === undefined || versions.includes(version)) return undefined
  if (versions.length === 0 && !known.own.has(name)) return undefined
  const help = versions.length > 0 ? `it has ${list(versions)}` : 'it has no versions'
  return { what: `version ${version} of model ${name}`, closest: undefined, help, mayBePackaged: false }
}
