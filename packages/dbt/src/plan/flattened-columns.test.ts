import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { pretendProject } from '../testing/pretend-project.ts'

const MODEL = 'models/staging/shop/stg_shop__people.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const FLAT: Config = { options: { flatten: 'one level' } }

function people(...fields: readonly string[]): readonly Table[] {
  const columns = [
    { name: 'id', type: 'integer' },
    { name: 'address', type: `STRUCT(${fields.join(', ')})` },
    { name: 'note', type: 'varchar' },
  ]
  return [{ schema: 'shop', name: 'people', primaryKey: ['id'], columns }]
}

async function flattened() {
  const project = pretendProject()
  const text = (path: string): string => project.files.get(path) ?? ''
  await project.apply(people('city VARCHAR', 'zip INTEGER'), { config: FLAT })
  expect(text(MODEL)).toContain('address.city as address_city')
  expect(text(MODELS)).toContain('name: address_zip')
  return { project, text }
}

test('a field that is added to a struct is added to a model that a person changed', async () => {
  const { project, text } = await flattened()
  const edited = text(MODEL)
    .replace('address.city as address_city', 'upper(address.city) as town')
    .replace('note,', 'trim(note) as note, -- by hand')
  project.files.set(MODEL, edited)
  await project.apply(people('city VARCHAR', 'zip INTEGER', 'country VARCHAR'), { config: FLAT })
  expect(text(MODEL)).toContain('upper(address.city) as town')
  expect(text(MODEL)).toContain('-- by hand')
  expect(text(MODEL)).toContain('address.country as address_country')
  expect(text(MODELS)).toContain('name: address_country')
  const again = await project.plan(people('city VARCHAR', 'zip INTEGER', 'country VARCHAR'), { config: FLAT })
  expect(again.files.filter(({ after, before }) => after !== before)).toEqual([])
})

test('a field that is gone leaves the model, and the others stay', async () => {
  const { project, text } = await flattened()
  await project.apply(people('city VARCHAR'), { config: FLAT })
  expect(text(MODEL)).toContain('address.city as address_city')
  expect(text(MODEL)).not.toContain('address.zip')
  expect(text(MODELS)).not.toContain('address_zip')
})

test('a project goes to columns of fields and back', async () => {
  const { project, text } = await flattened()
  await project.apply(people('city VARCHAR', 'zip INTEGER'))
  expect(text(MODEL)).not.toContain('address.city')
  expect(text(MODEL)).toMatch(/^ +address,?$/m)
  expect(
    project
      .lock()
      .get('shop.people')
      ?.item.table.columns.map(({ name }) => name),
  ).toEqual(['id', 'address', 'note'])
})

test('what was decided for a field stays with it while its struct is the same', async () => {
  const project = pretendProject()
  const tables = people('city VARCHAR', 'zip INTEGER')
  const edit = {
    description: null,
    columns: new Map([[100_002, { name: 'town', description: null, operation: null, tests: [] }]]),
  }
  await project.apply(tables, { config: FLAT, edits: { people: edit } })
  expect(project.files.get(MODEL)).toContain('address.city as town')
  const more = tables.map((table) => ({
    ...table,
    columns: [{ name: 'first', type: 'integer' }, ...table.columns],
  }))
  await project.apply(more, { config: FLAT })
  expect(project.files.get(MODEL)).toContain('address.city as town')
})
