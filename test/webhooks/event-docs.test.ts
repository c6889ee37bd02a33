import { readFileSync } from 'node:fs'
import { exampleEvent, EVENT_KIND_NAMES } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const PAGE = readFileSync(repositoryPath('docs/reference/events.md'), 'utf8')

/** The block that follows the first mention of a kind in the list. */
function blockOf(kind: string): unknown {
  const rest = PAGE.slice(PAGE.indexOf(`\`${kind}\``))
  return JSON.parse(/```json\n([^`]*)```/.exec(rest)?.[1] ?? 'null')
}

test.each(EVENT_KIND_NAMES)('the docs show the data of %s', (kind) => {
  expect(PAGE).toContain(`\`${kind}\``)
  const { data } = exampleEvent(kind)
  expect(kind === 'unit.updated' ? exampleEvent('unit.created').data : data).toEqual(blockOf(kind))
})
