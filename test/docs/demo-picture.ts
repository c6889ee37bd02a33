import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryPath } from '../paths.ts'

interface Section {
  readonly heading: RegExp
  /** The first line to show of its text. @default the first one */
  readonly from?: RegExp
  /** The number of lines to show. */
  readonly lines: number
}

/** The parts of the demo's output that the picture shows. */
const SECTIONS: readonly Section[] = [
  { heading: /^A raw warehouse: /, lines: 6 },
  { heading: /^models\/staging\/crm\/stg_crm__opportunities\.sql$/, from: /^renamed as/, lines: 20 },
  { heading: /^Times$/, lines: 2 },
]

/** Runs `stagecraft demo` in a folder of its own and returns the lines that the picture shows. */
export function recordDemo(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-picture-'))
  try {
    const parameters = [repositoryPath('packages/cli/src/bin.ts'), 'demo', '--out', '.stagecraft-demo']
    const environment = { ...process.env, NO_COLOR: '1', PATH: '/nowhere' }
    const output = execFileSync(process.execPath, parameters, {
      cwd: folder,
      encoding: 'utf8',
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return ['$ npm run demo', ...linesOf(output)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesOf(output: string): readonly string[] {
  const all = output.split('\n')
  return SECTIONS.flatMap(({ from, heading, lines }) => {
    const start = all.findIndex((line) => heading.test(line))
    const first = from ? all.findIndex((line, index) => index > start && from.test(line)) : start + 2
    if (start < 0 || first < 0) throw new Error(`expected ${String(heading)} in the output of the demo`)
    const gap = from ? ['…', ''] : []
    return ['', all[start] ?? '', '', ...gap, ...all.slice(first, first + lines)]
  })
}

const LINE_HEIGHT = 18
const CHARACTER_WIDTH = 8.43
const MARGIN = 20
const BAR = 32

/** Draws lines of a terminal as an SVG. Lines appear one after the other where animations run, and stand there elsewhere. */
export function drawTerminal(lines: readonly string[]): string {
  const longest = Math.max(...lines.map((line) => line.length))
  const width = Math.ceil(longest * CHARACTER_WIDTH + 2 * MARGIN)
  const height = BAR + lines.length * LINE_HEIGHT + MARGIN
  const rows = lines.map((line, index) => drawLine(line, index)).filter((row) => row !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal that runs the demo">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dae0; animation: appear 0.3s both; }
.prompt { fill: #8ec07c; } .heading { fill: #fff; font-weight: bold; } .comment { fill: #8a93a2; } .keyword { fill: #83a5f0; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#1d2027"/>
<circle cx="20" cy="16" r="6" fill="#ec6a5e"/><circle cx="40" cy="16" r="6" fill="#f4bf4f"/><circle cx="60" cy="16" r="6" fill="#61c554"/>
${rows.join('\n')}
</svg>
`
}

function drawLine(line: string, index: number): string {
  if (line === '') return ''
  const y = BAR + (index + 1) * LINE_HEIGHT
  const kind = kindOf(line)
  const style = kind === undefined ? '' : ` class="${kind}"`
  return `<text x="${MARGIN}" y="${y}"${style} style="animation-delay:${(index * 0.12).toFixed(2)}s">${escape(line)}</text>`
}

function kindOf(line: string): string | undefined {
  if (line.startsWith('$ ')) return 'prompt'
  if (/^(?:A raw warehouse|models\/|Times)/.test(line)) return 'heading'
  if (/^\s*-{4,}/.test(line)) return 'comment'
  return /^\s*(?:with|select|from)$/.test(line) ? 'keyword' : undefined
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Masks the times of a run, which differ from one run to the next. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d+\.\d\d s/g, '0.00 s')
}
