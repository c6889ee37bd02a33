// A fix changes what its finding names, and nothing else: what other people wrote around it keeps every byte.
import { applyFixes, RULES } from '@stagecraft/analysis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { type Files, lintFiles, readFiles, readFilesAsProject, withChanges } from './lint-project.ts'

/** One pass of fixes of a rule. */
async function fixOnce(files: Files, rule: (typeof RULES)[number]): Promise<Files> {
  const { findings } = await lintFiles(files, rule)
  const own = findings.filter((finding) => finding.rule === rule.id)
  const changes = applyFixes(await readFilesAsProject(files), own, { unsafe: true })
  return withChanges(files, changes.files)
}

/** Entries of strangers as people write them: with odd indents, quotes, anchors, flow, comments and trailing blanks. */
const STRANGERS = [
  '  - name: stranger_a   # keep\n    description: "two  blanks"   \n',
  "  # a comment of its own\n\n  - { name: 'stranger_a', description: 'x: #y' }\n",
  '  - description: >-\n        folded\n        text\n\n    name: stranger_a\n    meta: {owner:   me, tags: [ a,b ]}\n',
  '  - name: stranger_a\n    meta: &x\n        deep:\n              deeper: ~\n    # the end\n',
] as const

/** Puts an entry before the first one of a list of models; its model is added too. */
function withStranger(files: Files, stranger: string): Files {
  const changed = Object.entries(files).map(([path, text]) => [
    path,
    path.endsWith('.yml') ? text.replace(/^models:\n(?=  - )/m, `models:\n${stranger}`) : text,
  ])
  return { ...Object.fromEntries(changed), 'models/strangers/stranger_a.sql': 'select 1 as id\n' } as Files
}

function withoutIndents(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll(/^ +/gm, '')]))
}

function withoutStranger(files: Files, stranger: string): Files {
  const own = Object.entries(files).filter(([path]) => !path.includes('stranger'))
  return Object.fromEntries(own.map(([path, text]) => [path, text.replace(stranger, '')]))
}

const FIXED = RULES.filter(({ fix }) => fix).map((rule) => [rule.id, rule] as const)

describe.each(FIXED)('%s', (id, rule) => {
  const files = readFiles(repositoryPath(`test/lint/rules/${id}/hit`))

  test('fixes the same beside entries of strangers, which stay as they are', async () => {
    const alone = await fixOnce(files, rule)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...STRANGERS), async (stranger) => {
        const mended = await fixOnce(withStranger(files, stranger), rule)
        const isIn = (all: Files): boolean => Object.values(all).some((text) => text.includes(stranger))
        expect(isIn(mended)).toBe(isIn(withStranger(files, stranger)))
        // What is added is indented as the file has it, strangers among it.
        expect(withoutIndents(withoutStranger(mended, stranger))).toEqual(withoutIndents(alone))
      }),
      { numRuns: STRANGERS.length },
    )
  })

  test('fixes the same with line ends of Windows', async () => {
    const windows = (all: Files): Files =>
      Object.fromEntries(Object.entries(all).map(([path, text]) => [path, text.replaceAll(/\r?\n/g, '\r\n')]))
    const mended = await fixOnce(windows(files), rule)
    expect(mended).toEqual(windows(await fixOnce(files, rule)))
  })

  test('changes no line but those of its findings', async () => {
    const { findings } = await lintFiles(files, rule)
    const own = findings.filter((finding) => finding.rule === id && finding.fix)
    const mended = await fixOnce(files, rule)
    for (const [path, before] of Object.entries(files)) {
      const after = mended[path]
      if (after === undefined || after === before) continue
      expect(own.some((finding) => finding.path === path || JSON.stringify(finding.fix).includes(path))).toBe(
        true,
      )
      // Every line of before is still there, but those that the fix is about: a few for each of its edits.
      const lines = new Set(after.split('\n').map((line) => line.trim()))
      const gone = before.split('\n').filter((line) => !lines.has(line.trim()))
      const edits = own
        .map(({ fix }) => (fix && fix.edit.kind !== 'move' ? fix.edit.edits.length : 0))
        .reduce((sum, count) => sum + count, 0)
      expect(gone.length).toBeLessThanOrEqual(4 * edits)
    }
  })
})

test('moves no tests into data_tests where both stand, and says so', async () => {
  const rule = RULES.find(({ id }) => id === 'SC306')
  if (!rule) throw new Error('there is no SC306')
  const path = 'models/m.yml'
  const before = `models:
  - name: m
    columns:
      - name: a
        tests: [not_null]
      - name: id
        data_tests: [not_null]
        tests: [unique]
`
  const files = { 'models/m.sql': 'select 1 as id, 2 as a\n', [path]: before }
  expect((await fixOnce(files, rule))[path]).toBe(
    before.replace('tests: [not_null]', 'data_tests: [not_null]'),
  )
  const { findings } = await lintFiles(files, rule)
  expect(
    findings.filter((one) => one.rule === 'SC306').map((one) => [one.message, one.start.line, !!one.fix]),
  ).toEqual([
    ['since dbt 1.8, tests is called data_tests', 5, true],
    ['the entry has both tests and data_tests, which dbt refuses; move the tests under data_tests', 8, false],
  ])
})
