import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { type PretendProject, pretendProject } from '../testing/pretend-project.ts'
import type { HandEdit } from './hand-edits.ts'
import type { ProjectPlan } from './plan-types.ts'

const MODELS = 'models/staging/shop/_shop__models.yml'
const SOURCES = 'models/staging/shop/_shop__sources.yml'

const table = (name: string, ...more: readonly string[]): Table => ({
  schema: 'shop',
  name,
  columns: ['id', 'status', ...more].map((column) => ({
    name: column,
    type: 'integer',
    comment: `The ${column} of it`,
  })),
  primaryKey: ['id'],
})

const TABLES = [table('orders'), table('rents')]

function edit({ files }: PretendProject, path: string, from: string, to: string): void {
  const text = files.get(path) ?? ''
  expect(text).toContain(from)
  files.set(path, text.replace(from, to))
}

const editedIn = ({ files }: ProjectPlan, path: string): readonly HandEdit[] | undefined =>
  files.find((file) => file.path === path)?.edited

const notesOf = ({ files }: ProjectPlan, path: string): readonly string[] | undefined =>
  files.find((file) => file.path === path)?.notes

test('tells what a person added to an entry from what they changed, for each entry', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  expect(editedIn(await project.plan(TABLES), MODELS)).toBeUndefined()
  edit(project, MODELS, '      - name: status\n', '      - name: status\n        data_tests: [accepted]\n')
  edit(
    project,
    MODELS,
    '  - name: stg_shop__orders\n',
    '  - name: stg_shop__orders\n    meta: { owner: me }\n',
  )
  const added = await project.plan(TABLES)
  const [orders] = editedIn(added, MODELS) ?? []
  expect(editedIn(added, MODELS)).toHaveLength(1)
  expect(orders).toEqual({
    covers: 'stg_shop__orders',
    line: expect.any(Number),
    added: ['meta', 'test accepted of status'],
    changed: [],
  })
  expect(project.files.get(MODELS)?.split('\n')[(orders?.line ?? 0) - 1]).toBe('  - name: stg_shop__orders')
  expect(notesOf(added, MODELS)).toEqual([])
  const text = project.files.get(MODELS) ?? ''
  const place = text.indexOf('stg_shop__rents')
  project.files.set(
    MODELS,
    text.slice(0, place) +
      text
        .slice(place)
        .replace('The status of it', 'My own')
        .replace(/ +- unique\n/, ''),
  )
  const changed = await project.plan(TABLES)
  expect(editedIn(changed, MODELS)?.at(-1)).toMatchObject({
    covers: 'stg_shop__rents',
    added: [],
    changed: ['test unique of rent_id removed', 'description of status changed'],
  })
  expect(notesOf(changed, MODELS)).toEqual([
    'stg_shop__rents: edited by hand: test unique of rent_id removed, description of status changed',
  ])
})

test('still says so after the table changed and the plan was applied, and no longer when it is taken back', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  const generated = new Map(project.files)
  edit(project, SOURCES, 'The status of it', 'Mine')
  const wider = [table('orders', 'tax'), table('rents')]
  const parts = ['description of status changed']
  expect(editedIn(await project.plan(wider), SOURCES)).toMatchObject([
    { covers: 'shop.orders', changed: parts },
  ])
  await project.apply(wider)
  expect(project.files.get(SOURCES)).toContain('tax')
  expect(editedIn(await project.plan(wider), SOURCES)).toMatchObject([
    { covers: 'shop.orders', changed: parts },
  ])
  edit(project, SOURCES, 'Mine', 'The status of it')
  expect(editedIn(await project.plan(wider), SOURCES)).toBeUndefined()
  expect(generated.get(SOURCES)).not.toContain('tax')
})

test('a style of YAML is no edit: quotes, blocks and comments', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, MODELS, 'The status of it', '|\n          The status of it\n')
  edit(project, MODELS, 'models:\n', '# ours\nmodels:\n')
  edit(project, SOURCES, '- name: status\n', "- name: 'status'\n")
  const plan = await project.plan(TABLES)
  expect([MODELS, SOURCES].map((path) => editedIn(plan, path))).toEqual([undefined, undefined])
})

test('a clone without the generated texts knows an edit, and names it while the rules are the same', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, MODELS, 'The status of it', 'Mine')
  const same = await project.plan(TABLES, { fresh: true })
  expect(editedIn(same, MODELS)).toMatchObject([{ changed: ['description of status changed'] }])
  const other = { fresh: true, config: { naming: { renames: { status: 'state' } } } }
  expect(editedIn(await project.plan(TABLES, other), MODELS)).toMatchObject([
    { changed: ['its generated text is not on this machine, so the differences are unknown'] },
  ])
})

test('a removed entry is an edit, with the note that it is not added again', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  const text = project.files.get(MODELS) ?? ''
  project.files.set(MODELS, text.slice(0, text.indexOf('  - name: stg_shop__rents')))
  const plan = await project.plan(TABLES)
  expect(editedIn(plan, MODELS)).toMatchObject([
    { covers: 'stg_shop__rents', line: 1, added: [], changed: ['its entry was removed'] },
  ])
  expect(notesOf(plan, MODELS)).toHaveLength(1)
})

test('a column that a person renamed in the SQL and in its entry is no edit of the entry', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, 'models/staging/shop/stg_shop__orders.sql', 'status', 'status as state')
  const before = await project.plan(TABLES)
  expect(editedIn(before, MODELS)).toBeUndefined()
  edit(project, MODELS, '- name: status', '- name: state')
  const after = await project.plan(TABLES)
  expect(editedIn(after, MODELS)).toBeUndefined()
  await project.apply(TABLES)
  expect(editedIn(await project.plan(TABLES), MODELS)).toBeUndefined()
})
