import type { Column, Config } from '@stagecraft/spec'
import { COMMANDS } from './command-steps.ts'
import { PEOPLE } from './people-steps.ts'
import { next, pick, type Step, type World } from './pretend-world.ts'

const TYPES = ['integer', 'text', 'timestamp', 'boolean']

function changeColumns(world: World, number: number, change: (columns: Column[], at: number) => void): void {
  const name = pick(world.tables.keys(), number)
  const columns = name === undefined ? [] : [...(world.tables.get(name) ?? [])]
  if (name === undefined || columns.length < 2) return
  change(columns, 1 + ((number >> 2) % (columns.length - 1)))
  world.tables.set(name, columns)
}

function renameTable({ comments, tables }: World, was: string, is: string): void {
  const [columns, comment] = [tables.get(was) ?? [], comments.get(was)]
  tables.delete(was)
  tables.set(is, columns)
  if (comment !== undefined) comments.set(is, comment)
}

function setting(world: World, change: (config: Config) => Config): void {
  world.config = change(world.config)
}

/** What happens in the warehouse. */
const WAREHOUSE: Readonly<Record<string, Step>> = {
  'add a column': (world, number) =>
    changeColumns(
      world,
      number,
      (columns, at) =>
        void columns.splice(at, 0, { name: `new_${next(world)}`, type: TYPES[number % 4] ?? 'text' }),
    ),
  'drop a column': (world, number) =>
    changeColumns(world, number, (columns, at) => columns.length > 3 && void columns.splice(at, 1)),
  'rename a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, name: `${column.name.replace(/_?\d+$/, '')}_${next(world)}` }
    }),
  'retype a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, type: TYPES[number % 4] ?? 'text' }
    }),
  'comment a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, comment: `What ${next(world)} says.` }
    }),
  'add a table': (world) => {
    const at = next(world)
    world.tables.set(`t${at}`, [
      { name: 'id', type: 'integer' },
      ...['a', 'b', 'c'].map((one) => ({ name: `${one}${at}`, type: 'integer' })),
    ])
  },
  'drop a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    if (name !== undefined && world.tables.size > 1) world.tables.delete(name)
  },
  'rename a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    if (name === undefined) return
    renameTable(world, name, `${name.replace(/_?\d+$/, '')}_${next(world)}`)
  },
  'comment a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    if (name !== undefined) world.comments.set(name, `What ${next(world)} holds.`)
  },
  'change the case of a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    if (name === undefined) return
    renameTable(world, name, name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase())
  },
}

/** What is written to the configuration. */
const SETTINGS: Readonly<Record<string, Step>> = {
  'configure a column': (world, number) =>
    setting(world, (config) => {
      const name = pick(world.tables.keys(), number) ?? ''
      const column = pick(world.tables.get(name) ?? [], number >> 2)?.name ?? 'id'
      const tables = { ...config.sources?.['shop']?.tables }
      tables[name] = {
        ...tables[name],
        columns: { ...tables[name]?.columns, [column]: { name: `own_name_${next(world)}` } },
      }
      return { ...config, sources: { ...config.sources, shop: { ...config.sources?.['shop'], tables } } }
    }),
  'configure naming': (world, number) =>
    setting(world, (config) => ({
      ...config,
      naming: {
        ...config.naming,
        ids: number % 2 === 0,
        booleans: number % 3 === 0,
        patterns: { timestamp: number % 5 === 0 ? '{name}_ts' : '{name}_at' },
      },
    })),
  'name the models': (world, number) =>
    setting(world, (config) => {
      const model = number % 2 === 0 ? 'stg_{source}__{entity}' : 'staging_{entity}'
      return { ...config, naming: { ...config.naming, types: { staging: { model } } } }
    }),
  'choose a layout': (world, number) =>
    setting(world, (config) => ({
      ...config,
      options: { ...config.options, yamlLayout: number % 2 === 0 ? 'folder' : 'model' },
    })),
  'name the source': (world, number) =>
    setting(world, (config) => ({
      ...config,
      sources: {
        ...config.sources,
        shop: { ...config.sources?.['shop'], name: number % 2 === 0 ? 'shop' : 'store' },
      },
    })),
}

/** What happens to a project. */
export const STEPS: Readonly<Record<string, Step>> = { ...WAREHOUSE, ...PEOPLE, ...SETTINGS, ...COMMANDS }
