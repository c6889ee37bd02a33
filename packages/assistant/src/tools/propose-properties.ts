import { checkDescription } from '@stagecraft/core/run'
import {
  type EditOutcome,
  editYaml,
  type OwnerList,
  type YamlEdit,
  type YamlOwner,
  type YamlValue,
} from '@stagecraft/dbt'
import { testWith } from '@stagecraft/analysis'
import { EDIT_TESTS, StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { assertProposals, changeSchema, proposalHead, propose } from '../proposals/propose.ts'
import { columnsOf, entryOf, findResource, type Found, isSame } from '../resources.ts'
import { defineTool, idInput } from '../tool.ts'

const testSchema = z.strictObject({
  name: z.enum(EDIT_TESTS),
  values: z.array(z.string().min(1).max(200)).max(100).optional(),
  to: z.string().max(300).optional(),
  field: z.string().max(300).optional(),
})
type TestWish = z.infer<typeof testSchema>

const editSchema = z.strictObject({
  id: idInput,
  description: z.string().max(300).optional(),
  tests: z.array(testSchema).max(10).optional(),
})
type EditWish = z.infer<typeof editSchema>

/** Proposes descriptions and tests as edits of YAML that keep every other byte. */
export const proposeProperties = defineTool({
  name: 'propose_properties',
  title: 'Propose descriptions and tests',
  description:
    'Proposes descriptions (one plain sentence) and tests of models, sources and columns in their YAML. accepted_values needs values; relationships needs to (a model or source) and field. Writes nothing: a person applies the proposal.',
  effect: 'proposes',
  input: { edits: z.array(editSchema).min(1).max(50) },
  head: proposalHead,
  item: changeSchema,
  run: async (view, { edits }, ports) => {
    assertProposals(ports.proposals)
    const planned = edits.map((wish) => planEdit(view, wish))
    const byFile = Map.groupBy(planned, ({ path }) => path)
    const changed = [...byFile].map(([path, own]) => editFile(view, path, own))
    const done = changed.flatMap((file) => file.done)
    return propose(
      view,
      {
        kind: 'yaml',
        title: `describe or test ${[...new Set(done)].slice(0, 5).join(', ')}${done.length > 5 ? ' and others' : ''}`,
        files: changed.map(({ after, before, path }) => ({ path, before, after })),
        evidence: ['written by a language model: read it before you apply it'],
        notes: changed.flatMap(({ notes }) => notes),
      },
      ports,
    )
  },
})

interface PlannedEdit {
  /** The file of properties. */
  readonly path: string
  readonly id: string
  readonly edits: readonly YamlEdit[]
  /** The owner of an entry that must be added first. */
  readonly missing?: { readonly list: OwnerList; readonly name: string }
}

/** @throws {StagecraftError} INVALID_REQUEST for unknown resources, and for texts that dbt would run. */
function planEdit(view: ProjectView, wish: EditWish): PlannedEdit {
  const found = findResource(view, wish.id)
  assertKnownColumn(view, found)
  const { description, id, tests = [] } = wish
  if (description !== undefined) assertDescription(description)
  if (description === undefined && tests.length === 0)
    throw invalid('edits', 'a description or tests', `neither for ${id}`)
  const owner = ownerOf(view, found)
  const entry = entryOf(view, found.node)
  const path = entry?.place.path ?? homeOf(view, found, owner)
  const written = tests.map((test) => printTest(view, found, test))
  const column = entry?.entries('columns').find(({ name }) => isSame(name, found.column ?? ''))
  const edits =
    found.column !== undefined && !column
      ? [addColumn(owner, found.column, { description, written })]
      : changesOf(
          { owner, before: (column ?? entry)?.get('description'), description, written },
          found.column,
        )
  return {
    path,
    id,
    edits,
    ...(!entry && owner.list !== 'sources' && { missing: { ...owner, list: owner.list } }),
  }
}

interface Written {
  readonly description: string | undefined
  readonly written: readonly YamlValue[]
}

function addColumn(owner: YamlOwner, name: string, { description, written }: Written): YamlEdit {
  return {
    kind: 'add-column',
    owner,
    column: {
      name,
      ...(description !== undefined && { description }),
      ...(written.length > 0 && { data_tests: written }),
    },
  }
}

interface Wanted extends Written {
  readonly owner: YamlOwner
  /** Returns the current description. */
  readonly before: unknown
}

/** Descriptions with Jinja, such as docs blocks, were written by people and stay. */
function changesOf(
  { before, description, owner, written }: Wanted,
  column: string | undefined,
): readonly YamlEdit[] {
  const own = { owner, ...(column !== undefined && { column }) }
  const replaces = typeof before === 'string' && !/\{[{%#]/.test(before) ? { replaces: before } : {}
  return [
    ...(description === undefined
      ? []
      : [{ kind: 'set-property' as const, ...own, key: 'description', value: description, ...replaces }]),
    ...(written.length > 0 ? [{ kind: 'add-tests' as const, ...own, tests: written }] : []),
  ]
}

/** Returns the file for the entry of an undescribed model: that of its neighbours, or a new one. */
function homeOf(view: ProjectView, { node }: Found, { list }: YamlOwner): string {
  const folder = node.path.slice(0, node.path.lastIndexOf('/') + 1)
  const near = view.project.properties.find(
    ({ entries, file }) =>
      file.path.startsWith(folder) &&
      !file.path.slice(folder.length).includes('/') &&
      entries(list).length > 0,
  )
  return near?.file.path ?? node.path.replace(/\.[^./]+$/, '.yml')
}

function ownerOf(view: ProjectView, { node }: Found): YamlOwner {
  const model = view.models.get(node.id)
  if (!model) {
    const mark = node.name.indexOf('.')
    return { list: 'sources', name: node.name.slice(0, mark), table: node.name.slice(mark + 1) }
  }
  if (model.version === undefined) return { list: `${model.kind}s`, name: model.name }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was proposed: ${model.name} has versions; edit its YAML by hand`,
    { details: { id: node.id } },
  )
}

function assertKnownColumn(view: ProjectView, { column, node }: Found): void {
  if (node.kind === 'exposure') throw invalid('id', 'a model, seed, snapshot or source', 'an exposure')
  if (column === undefined) return
  const { columns } = columnsOf(view, node)
  if (columns.some(({ name }) => isSame(name, column))) return
  throw invalid('id', `a known column of ${node.name}`, column)
}

/** Refuses braces: dbt renders Jinja in texts. */
function assertDescription(text: string): void {
  const fault = checkDescription(text)
  if (fault) throw invalid('description', fault.expected, text)
}

/** @throws {StagecraftError} INVALID_REQUEST for missing arguments and for names that the project does not have. */
function printTest(view: ProjectView, { column }: Found, test: TestWish): YamlValue {
  if (column === undefined) throw invalid('tests', 'a column to test', 'a whole relation')
  const { field, name, to, values } = test
  if (name === 'unique' || name === 'not_null') return name
  if (name === 'accepted_values') {
    if (!values || values.length === 0) throw invalid('values', 'the accepted values', 'none')
    const code = values.find((value) => /\{[{%#]|[%#}]\}/.test(value))
    if (code !== undefined) throw invalid('values', 'plain values without Jinja', code)
    return testWith(view.project, name, { values })
  }
  if (to === undefined || field === undefined) throw invalid('tests', 'to and field', 'one of them missing')
  const target = findResource(view, to)
  const parent = { ...target, column: target.column ?? field }
  if (!isSame(parent.column, field)) throw invalid('field', `the column of ${to}`, field)
  assertKnownColumn(view, parent)
  return testWith(view.project, name, { to: printReference(view, parent), field })
}

function printReference(view: ProjectView, { node }: Found): string {
  const model = view.models.get(node.id)
  if (model) return `ref('${model.name}')`
  const mark = node.name.indexOf('.')
  return `source('${node.name.slice(0, mark)}', '${node.name.slice(mark + 1)}')`
}

interface EditedFile {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly done: readonly string[]
  readonly notes: readonly string[]
}

/** The start of a new file of properties. */
const NEW_FILE = 'version: 2\n'

function editFile({ project }: ProjectView, path: string, planned: readonly PlannedEdit[]): EditedFile {
  const before = project.files.get(path)?.text
  const missing = new Map(
    planned.flatMap(({ missing: one }) => (one ? [[`${one.list} ${one.name}`, one]] : [])),
  )
  const entries = [...missing.values()].map(({ list, name }): YamlEdit => ({
    kind: 'add-entry',
    list,
    entry: { name },
  }))
  const all = planned.flatMap(({ edits, id }) => edits.map((edit) => ({ edit, id })))
  const { text: base } = editYaml({ path, text: before ?? NEW_FILE }, entries)
  const { outcomes, text } = editYaml(
    { path, text: base },
    all.map(({ edit }) => edit),
  )
  const results = outcomes.map((outcome, index) => ({ outcome, id: all[index]?.id ?? '' }))
  const done = results.flatMap(({ id, outcome }) => (outcome.status === 'done' ? [id] : []))
  return {
    path,
    before,
    after: done.length > 0 ? text : before,
    done,
    notes: results.flatMap(({ id, outcome }) => noteOf(id, outcome)),
  }
}

function noteOf(id: string, outcome: EditOutcome): readonly string[] {
  if (outcome.status === 'done') return []
  if (outcome.status === 'unneeded') return [`${id} has it already`]
  return [`${id}: ${outcome.path}:${outcome.line}: ${outcome.reason}`]
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received: JSON.stringify(cleanText(received, 100)) })
}
