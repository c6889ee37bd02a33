// A folder for each rule: a project that it finds something in, one that is clean, one where its findings are suppressed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyFixes, printReport, RULES } from '@stagecraft/analysis'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { type Files, lintFiles, readFiles, readFilesAsProject, withChanges } from './lint-project.ts'

const UPDATE = process.env['UPDATE_GOLDEN'] === '1'

function folderOf(id: string, name: string): string {
  return repositoryPath(`test/lint/rules/${id}/${name}`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** What `--fix --unsafe` makes of a project, run until nothing is left to fix. */
async function fixed(files: Files, rule: (typeof RULES)[number]): Promise<Files> {
  const { findings } = await lintFiles(files, rule)
  const own = findings.filter((finding) => finding.rule === rule.id)
  const changes = applyFixes(await readFilesAsProject(files), own, { unsafe: true })
  if (changes.files.length === 0) return files
  return fixed(withChanges(files, changes.files), rule)
}

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('finds what it says', async () => {
    const report = await lintFiles(readFiles(folderOf(id, 'hit')), rule)
    const own = {
      ...report,
      findings: report.findings.filter((finding) => finding.rule === id),
      suppressed: report.suppressed.filter(({ finding }) => finding.rule === id),
      unchecked: report.unchecked.filter((one) => one.rule === id),
    }
    const printed = printReport(own, 'text', { version: '0' })
    if (UPDATE) write(join(folderOf(id, 'hit'), 'findings.txt'), printed)
    await expect(printed).toMatchFileSnapshot(join(folderOf(id, 'hit'), 'findings.txt'))
    expect(own.findings.length).toBeGreaterThan(0)
  })

  test('finds nothing in a clean project', async () => {
    const { findings, unchecked } = await lintFiles(readFiles(folderOf(id, 'clean')), rule)
    expect(findings.filter((finding) => finding.rule === id)).toEqual([])
    expect(unchecked.filter((one) => one.rule === id)).toEqual([])
  })

  test('can be suppressed with a reason', async () => {
    const files = readFiles(folderOf(id, 'suppressed'))
    const { findings, suppressed } = await lintFiles(files, rule)
    expect(findings.filter((finding) => finding.rule === id || finding.rule === 'SC902')).toEqual([])
    expect(suppressed.map(({ finding }) => finding.rule)).toContain(id)
  })

  test('has fixes of the kind that it says', async () => {
    const { findings } = await lintFiles(readFiles(folderOf(id, 'hit')), rule)
    const safeties = findings.flatMap((finding) =>
      finding.rule === id && finding.fix ? [finding.fix.safety] : [],
    )
    expect([...new Set(safeties)]).toEqual(rule.fix ? [rule.fix.safety] : [])
  })
})

test.each(RULES.filter(({ fix }) => fix).map((rule) => [rule.id, rule] as const))(
  '%s mends what it finds, and nothing else',
  async (id, rule) => {
    const before = readFiles(folderOf(id, 'hit'))
    const after = await fixed(before, rule)
    const changed = Object.fromEntries(Object.entries(after).filter(([path, text]) => before[path] !== text))
    if (UPDATE)
      for (const [path, text] of Object.entries(changed)) write(join(folderOf(id, 'fixed'), path), text)
    expect(changed).toEqual(readFiles(folderOf(id, 'fixed')))
    const gone = Object.keys(before).filter((path) => !(path in after))
    expect(gone.every((path) => Object.values(changed).includes(before[path] ?? ''))).toBe(true)
    expect(Object.keys(changed).length).toBeGreaterThan(0)
    const left = (await lintFiles(after, rule)).findings.filter((finding) => finding.rule === id)
    expect(left.filter(({ fix }) => fix)).toEqual([])
  },
)
