import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { runCli } from './run-cli.ts'

const BIN = repositoryPath('packages/cli/src/bin.ts')

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0
}

/** A dbt project with a model, and the command on the path. */
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-completion-'))
/** Where the command writes what it is called with, unless that is a completion. */
const called = join(folder, 'called')
const completionOf = (shell: string): string => join(folder, `completion.${shell}`)
const env = {
  ...process.env,
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
}

beforeAll(async () => {
  for (const name of ['bin', 'models', 'warehouse']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'wide.csv'), '')
  const catalog = repositoryPath('test/cli/columns.yml')
  const { code, stderr } = await runCli(['apply', 'shop.*', '--catalog', catalog], { folder })
  if (code !== 0) throw new Error(stderr)
  const script = `#!/bin/sh\ncase $1 in complete) exec '${process.execPath}' '${BIN}' "$@" ;; *) echo "$@" >'${called}' ;; esac\n`
  writeFileSync(join(folder, 'bin/stagecraft'), script, { mode: 0o755 })
  for (const shell of ['bash', 'fish', 'zsh'])
    writeFileSync(completionOf(shell), (await runCli(['completion', shell])).stdout)
})
afterEach(() => rmSync(called, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines that are typed, and what each shell offers for them. */
const OFFERS: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['stagecraft expl', ['explain']],
  ['stagecraft keys c', ['create']],
  ['stagecraft explain --offl', ['--offline']],
  ['stagecraft generate --type sna', ['snapshot']],
  ['stagecraft explain stg_shop__cu', ['stg_shop__customers']],
  ['stagecraft plan shop.o', ['shop.orders']],
  ['stagecraft generate --catalog wi', ['wide.csv']],
  ['stagecraft generate --out ware', ['warehouse/']],
]

describe('bash', () => {
  test.each([
    ...OFFERS,
    ['stagecraft generate --type=sna', ['snapshot']],
    ['stagecraft generate --catalog=wi', ['wide.csv']],
  ] as const)('completes %s', (line, offered) => {
    const program = `source "$1"; complete -p stagecraft >/dev/null || exit 9; COMP_LINE=$2; COMP_POINT=\${#2}; _stagecraft; printf '%s\\n' "\${COMPREPLY[@]}"`
    const output = execFileSync('bash', ['--norc', '-c', program, 'bash', completionOf('bash'), line], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect(output.trim().split('\n')).toEqual(offered)
  })
})

describe.skipIf(!has('fish'))('fish', () => {
  test.each(OFFERS)('completes %s', (line, offered) => {
    const program = `source $argv[1]; complete -C $argv[2]`
    const output = execFileSync('fish', ['--no-config', '-c', program, completionOf('fish'), line], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect(
      output
        .trim()
        .split('\n')
        .map((one) => one.split('\t')[0]),
    ).toEqual(offered)
  })
})

describe.skipIf(!has('zsh'))('zsh', () => {
  test.each(OFFERS)('completes %s', async (line, offered) => {
    // a shell in a terminal of its own: what a Tab makes of the line is what is run
    const program = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "autoload -Uz compinit && compinit -u -D && source '$1'"
      zpty -w shell "tab-and-run() { zle complete-word; zle accept-line }; zle -N tab-and-run; bindkey '^T' tab-and-run; print re''ady"
      zpty -r shell output '*ready*'
      zpty -w -n shell "$2"$'\\x14'
      while zpty -r shell output; do :; done`
    const child = spawn('zsh', ['-f', '-c', program, 'zsh', completionOf('zsh'), line], {
      cwd: folder,
      env,
      stdio: 'ignore',
      detached: true,
    })
    onTestFinished(() => {
      if (child.pid !== undefined) process.kill(-child.pid)
    })
    await expect
      .poll(() => existsSync(called) && readFileSync(called, 'utf8').trim(), { timeout: 60_000 })
      .toBe([...line.split(' ').slice(1, -1), offered[0]?.replace('/', '')].join(' '))
  })
})
