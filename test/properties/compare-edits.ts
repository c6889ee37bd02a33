import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { expect } from 'vitest'
import { type EditOutcome, editYaml, type YamlEdit } from '@stagecraft/dbt'
import { editData, type Properties } from './edits-as-data.ts'

const PATH = 'models/schema.yml'

export function readProperties(text: string): Properties {
  const data: unknown = parse(text, { merge: true, uniqueKeys: false, logLevel: 'silent' })
  return JSON.parse(JSON.stringify(data ?? {})) as Properties
}

/** Empty lists and keys without a value say the same as no key. */
export function withoutEmpty(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutEmpty)
  if (typeof data !== 'object' || data === null) return data
  const kept = Object.entries(data).filter(([, value]) => value !== null && !isDeepStrictEqual(value, []))
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutEmpty(value)]))
}

/** What stood there and is gone, if one piece of the text became another one. */
export function replaced(
  before: string,
  after: string,
): { readonly removed: string; readonly added: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

/** An empty list or value that made room, with the comment on its line. */
const EMPTY = /^ *(?:\[\]|~|''|""|)[ \t]*(?:#[^\n]*)?$/

function expectUntouched(before: string, after: string, { kind }: YamlEdit): void {
  const { added, removed } = replaced(before, after)
  // a list that lost its last item may be left empty; its bracket may equal the one that ended the item
  if (kind.startsWith('remove-')) expect(removed.startsWith(added.replace(/^ \[\]?/, ''))).toBe(true)
  else {
    expect(removed).toMatch(EMPTY)
    const comment = /#[^\n]*/.exec(removed)?.[0] ?? ''
    expect(added).toContain(comment)
  }
  expect(after.replaceAll('\r\n', '').includes('\r')).toBe(false)
  if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '').includes('\n')).toBe(false)
  expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'))
}

/** Does an edit and holds the text against the data that was meant. */
export function editAndCompare(
  text: string,
  edit: YamlEdit,
): { readonly text: string; readonly outcome: EditOutcome } {
  const { outcomes, text: edited } = editYaml({ path: PATH, text }, [edit])
  const [outcome = { status: 'unneeded' }] = outcomes
  if (outcome.status === 'done') {
    const meant = readProperties(text)
    editData(meant, edit)
    expect(withoutEmpty(readProperties(edited))).toEqual(withoutEmpty(meant))
    expectUntouched(text, edited, edit)
  } else {
    expect(edited).toBe(text)
  }
  return { text: edited, outcome }
}
