// Writes the licences of all packages that users install into THIRD_PARTY_NOTICES.md; with --check, only compares.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '@stagecraft/spec'
import { findBundledPackages } from '../../release/bundle.ts'
import { repositoryPath } from '../paths.ts'

interface Installed {
  readonly name: string
  readonly versions: readonly string[]
  readonly paths: readonly string[]
  readonly license: string
}

/** Licences that are compatible with Apache-2.0 and ask for nothing but their text. */
const ALLOWED = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Unlicense'])

const FILE = repositoryPath('THIRD_PARTY_NOTICES.md')

const HEAD = `# Third-party notices

Stagecraft installs these packages or carries their code, each under its own licence. \`npm run -s notices\` writes this file.
`

async function readInstalled(): Promise<readonly Installed[]> {
  const parameters = ['run', '-s', 'pn', '--', '--recursive', 'licenses', 'list', '--prod', '--json']
  const stdout = execFileSync('npm', parameters, { cwd: repositoryPath(''), encoding: 'utf8' })
  const byLicence = JSON.parse(stdout) as Readonly<Record<string, readonly Installed[]>>
  const installed = Object.values(byLicence).flat()
  const isNew = (one: Installed): boolean =>
    !installed.some(({ name, versions }) => name === one.name && versions.includes(one.versions[0] ?? ''))
  const bundled = [...(await findBundledPackages()), IN_PAGES].map(readPackage)
  return [...installed, ...bundled.filter(isNew)]
    .filter(({ name }) => !name.startsWith('node-linux') && !name.startsWith('@stagecraft/'))
    .toSorted((one, other) => compareText(one.name, other.name))
}

/** The package whose code is in the built pages, and which nobody installs. */
const IN_PAGES = repositoryPath('packages/dashboard/node_modules/preact')

function readPackage(path: string): Installed {
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >
  const { license = '', name = '', version = '' } = manifest
  return { name, versions: [version], paths: [path], license }
}

function textOf({ license, name, paths: [path = ''] }: Installed): string {
  if (!ALLOWED.has(license)) throw new Error(`${name} has the licence ${license}, which is not in the list`)
  const file = readdirSync(path).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry))
  return file === undefined ? '' : readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n').trim()
}

function printNotices(installed: readonly Installed[]): string {
  const groups = Map.groupBy(installed, (one) => textOf(one).replaceAll(/\s+/g, ' '))
  const parts = [...groups.values()].map((group) => {
    const titles = group.map(({ license, name, versions }) => `- ${name} ${versions.join(', ')} (${license})`)
    const text = textOf(group[0] as Installed)
    return `${titles.join('\n')}\n${text === '' ? '' : `\n\`\`\`text\n${text}\n\`\`\`\n`}`
  })
  return [HEAD, ...parts].join('\n')
}

const text = printNotices(await readInstalled())
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('THIRD_PARTY_NOTICES.md is stale; run: npm run -s notices\n')
  process.exitCode = 1
}
