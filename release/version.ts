// Raises the version according to the change sets, in every package and every other place: `npm run -s
// release:version`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TOP = fileURLToPath(new URL('..', import.meta.url))

/** Files besides the manifests that contain the version, each with a pattern for its place. */
export const MENTIONS: Readonly<Record<string, RegExp>> = {
  'clients/python/pyproject.toml': /(?<=^version = ")[\d.]+/m,
  'deploy/kubernetes.yaml': /(?<=image: stagecraft:)[\d.]+/g,
  'docs/how-to/check-a-connection.md': /(?<=^stagecraft )[\d.]+(?=,)/m,
  'docs/how-to/install.md': /(?<=stagecraft-)[\d.]+(?=-py3)/g,
}

/** Returns the version that all packages have. */
export function readVersion(): string {
  const manifest = readFileSync(`${TOP}packages/cli/package.json`, 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

/** Returns a text with the version in every place that the pattern matches. */
export function withVersion(text: string, pattern: RegExp, version: string): string {
  if (text.search(pattern) < 0) throw new Error(`expected a version at ${String(pattern)}, found none`)
  return text.replace(pattern, version)
}

if (import.meta.main) {
  const bySets = 'run -s pn -- exec changeset version'.split(' ')
  execFileSync('npm', bySets, { cwd: TOP, stdio: 'inherit' })
  for (const [file, pattern] of Object.entries(MENTIONS))
    writeFileSync(TOP + file, withVersion(readFileSync(TOP + file, 'utf8'), pattern, readVersion()))
}
