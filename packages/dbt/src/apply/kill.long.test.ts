import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readIfThere } from './durable.ts'
import { type FileChange, recoverChanges, writeChanges } from './write-changes.ts'

const PROCESS = fileURLToPath(new URL('../testing/apply-process.ts', import.meta.url))
const KILLS = 30

/** Changes the files of a project from one state to another: every third is removed or made. */
function changesFrom(from: number, to: number): readonly FileChange[] {
  const textOf = (state: number, index: number): string | undefined =>
    index % 3 === state % 3 ? undefined : `file ${index} of state ${state}\n`.repeat(200)
  return Array.from({ length: 60 }, (_, index) => ({
    path: `models/folder_${index % 7}/file_${index}.sql`,
    before: textOf(from, index),
    after: textOf(to, index),
  }))
}

/** Runs a process and kills it after a time in milliseconds; undefined lets it end. Answers how long it took from `begin`. */
async function runAndKill(folder: string, file: string, after: number | undefined): Promise<number> {
  const child = spawn(process.execPath, [PROCESS, folder, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const start = performance.now()
  if (after !== undefined) {
    await setTimeout(after)
    child.kill('SIGKILL')
  }
  await closed
  return performance.now() - start
}

test('a project is either before or after, whenever the process is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'changes.json')
  writeChanges(
    folder,
    changesFrom(-1, 0).map((change) => ({ ...change, before: undefined })),
  )
  writeFileSync(file, JSON.stringify(changesFrom(0, 1)))
  const whole = await runAndKill(folder, file, undefined)
  const seen = { before: 0, after: 0 }
  for (let state = 1, kill = 0; kill < KILLS; kill++) {
    const changes = changesFrom(state, state + 1)
    writeFileSync(file, JSON.stringify(changes))
    await runAndKill(folder, file, (whole * (kill + 0.5)) / KILLS)
    const are = (side: 'after' | 'before'): boolean =>
      changes.every((change) => readIfThere(join(folder, change.path)) === change[side])
    recoverChanges(folder)
    const [isBefore, isAfter] = [are('before'), are('after')]
    expect({ kill, isBefore, isAfter }).toEqual({ kill, isBefore: !isAfter, isAfter: !isBefore })
    seen[isAfter ? 'after' : 'before']++
    if (isAfter) state++
  }
  expect(seen.before).toBeGreaterThan(0)
  expect(seen.after).toBeGreaterThan(0)
}, 300_000)
