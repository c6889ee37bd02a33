import { moveEntry } from '../yaml/move-entry.ts'
import { parse } from 'yaml'
import { edit, forgetRemoved, next, pick, type Step, type World } from './pretend-world.ts'

const nameOf = (path: string): string =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.\w+$/, '') ?? ''

function pathsOf({ project }: World, ending: string): readonly string[] {
  return [...project.files.keys()].filter((path) => path.endsWith(ending)).toSorted()
}

/** Moves a file, unless there is one already. */
function moveFile({ project: { files } }: World, from: string, to: string): boolean {
  const text = files.get(from)
  if (text === undefined || files.has(to)) return false
  files.delete(from)
  files.set(to, text)
  return true
}

function changeAll({ project: { files } }: World, ending: string, change: (text: string) => string): void {
  for (const [path, text] of files) if (path.endsWith(ending)) files.set(path, change(text))
}

/** The lines of an item of a list: from its dash to the next line that is indented no deeper. */
function linesOf(text: string, indent: number, name: string): string | undefined {
  const spaces = ' '.repeat(indent)
  const head = new RegExp(`^${spaces}- name: ${name}(?: #.*)?\\n`, 'm').exec(text)
  if (!head) return undefined
  const rest = text.slice(head.index + head[0].length)
  const below = new RegExp(`^(?:${spaces} .*\\n|\\n(?=${spaces}  ))*`).exec(rest)?.[0] ?? ''
  return head[0] + below
}

/** Takes an item out of a list of others, with the blank lines before it. Returns undefined for an only one. */
function cutItem(
  text: string,
  indent: number,
  name: string,
): { readonly item: string; readonly rest: string } | undefined {
  const item = linesOf(text, indent, name)
  if (item === undefined || item === text) return undefined
  const at = text.indexOf(item)
  const rest = `${text.slice(0, at).replace(/\n\n+$/, '\n')}${text.slice(at + item.length)}`
  const isOther = new RegExp(`^${' '.repeat(indent)}- `, 'm')
  const list = rest.slice(rest.lastIndexOf(':\n', at))
  return isOther.test(list) || isOther.test(rest.slice(0, at)) ? { item, rest } : undefined
}

function namesAt(text: string, indent: number): readonly string[] {
  return [...text.matchAll(new RegExp(`^${' '.repeat(indent)}- name: (\\w+)`, 'gm'))].map(
    ([, name = '']) => name,
  )
}

/** Deletes an item of a list in a file of properties, with what was written in it. */
function deleteItem(world: World, number: number, indents: readonly number[]): void {
  const { files } = world.project
  const path = pick(pathsOf(world, '.yml'), number)
  const text = path === undefined ? undefined : files.get(path)
  if (path === undefined || text === undefined) return
  const indent = indents.find((one) => namesAt(text, one).length > 0) ?? 0
  const name = pick(namesAt(text, indent), number >> 2)
  const cut = name === undefined ? undefined : cutItem(text, indent, name)
  if (!cut || cut.rest.includes(':\n\n') || !isList(cut.rest)) return
  files.set(path, cut.rest)
  forgetRemoved(world)
}

/** Returns false if a list lost its last item. */
function isList(text: string): boolean {
  return !JSON.stringify(parse(text)).includes(':null')
}

/** Puts the comma of each line of a list before the next one. */
function withLeadingCommas(sql: string): string {
  let isOpen = false
  const lines = sql.split('\n').map((line) => {
    const [, indent = '', code = '', comment = ''] = /^( {8})((?!-)\S.*?)( -- .*)?$/.exec(line) ?? []
    if (code === '' || code.startsWith(',')) return line
    const written = `${indent}${isOpen ? ', ' : ''}${code.replace(/,$/, '')}${comment}`
    isOpen = code.endsWith(',')
    return written
  })
  return lines.join('\n')
}

const PROPERTIES = 'models/own_properties.yml'

/** What people do to the files of a project. */
export const PEOPLE: Readonly<Record<string, Step>> = {
  'comment the SQL': (world, number) => edit(world, number, (sql, mark) => `-- ${mark}\n${sql}`),
  'comment a line of SQL': (world, number) =>
    edit(world, number, (sql, mark) => sql.replace(/^( {8}\w+,)$/m, `$1 -- ${mark}`)),
  'add a column of its own': (world, number) =>
    edit(world, number, (sql, mark) =>
      sql.replace(/^( {8}\w+ as \w+,)$/m, `$1\n        1 as own_${world.count}, -- ${mark}`),
    ),
  'rename an output column': (world, number) =>
    edit(world, number, (sql) => sql.replace(/^( {8}\w+)(?: as \w+)?(,?)$/m, `$1 as own_${world.count}$2`)),
  'write commas first': (world, number) => edit(world, number, withLeadingCommas),
  'describe in the properties': (world, number) =>
    edit(
      world,
      number,
      (yaml, mark) => yaml.replace(/^( +)- name: (\w+)$/m, `$1- name: $2 # ${mark}`),
      '.yml',
    ),
  'add meta to a column': (world, number) =>
    edit(
      world,
      number,
      (yaml, mark) =>
        yaml.replace(/^( {6,})- name: (\w+)$(?!\n +meta)/m, `$1- name: $2\n$1  meta: {own: '${mark}'}`),
      '.yml',
    ),
  'delete an entry': (world, number) => deleteItem(world, number, [6, 2]),
  'delete the entry of a column': (world, number) => deleteItem(world, number, [10, 6]),
  'move a model': (world, number) => {
    const from = pick(pathsOf(world, '.sql'), number)
    const folder = pick(['models/marts', 'models/staging', 'models/staging/own'], number >> 2)
    if (from !== undefined) moveFile(world, from, `${folder}/${nameOf(from)}.sql`)
  },
  'rename a model': (world, number) => {
    const from = pick(pathsOf(world, '.sql'), number >> 1)
    if (from === undefined) return
    const [was, is] = [nameOf(from), `own_model_${next(world)}`]
    if (!moveFile(world, from, from.replace(`${was}.sql`, `${is}.sql`)) || number % 2 === 1) return
    changeAll(world, '.yml', (text) => text.replace(`- name: ${was}\n`, `- name: ${is}\n`))
    for (const ending of ['.yml', '.sql'])
      changeAll(world, ending, (text) => text.replaceAll(`ref('${was}')`, `ref('${is}')`))
  },
  'delete a model': (world, number) => {
    const path = pick(pathsOf(world, '.sql'), number)
    if (path === undefined) return
    world.project.files.delete(path)
    forgetRemoved(world)
  },
  'move an entry': (world, number) => {
    const { files } = world.project
    const path = pick(pathsOf(world, '_models.yml'), number)
    const name = pick(namesAt(files.get(path ?? '') ?? '', 2), number >> 2)
    if (path === undefined || name === undefined) return
    const [from, to] = [path, PROPERTIES].map((one) => ({ path: one, text: files.get(one) ?? '' }))
    if (!from || !to) return
    const moved = moveEntry({ list: 'models', name, from, to })
    if (moved.outcome.status !== 'done') return
    files.set(PROPERTIES, moved.to)
    if (moved.from === undefined) files.delete(path)
    else files.set(path, moved.from)
  },
  'split the sources': (world, number) => {
    const { files } = world.project
    const path = pick(pathsOf(world, '_sources.yml'), number)
    const text = files.get(path ?? '') ?? ''
    const [source, ...others] = namesAt(text, 2)
    const name = pick(namesAt(text, 6), number >> 2)
    const cut = name === undefined ? undefined : cutItem(text, 6, name)
    if (path === undefined || source === undefined || others.length > 0 || !cut || !isList(cut.rest)) return
    const schema = /^ {4}schema: .*\n/m.exec(text)?.[0] ?? ''
    files.set(path, cut.rest)
    const head = `version: 2\n\nsources:\n  - name: ${source}\n${schema}    tables:\n`
    files.set(`models/own_${next(world)}_sources.yml`, head + cut.item)
  },
}
