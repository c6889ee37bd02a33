import { readFileSync } from 'node:fs'
import { hashText } from '../lock/hashes.ts'
import type { PlanInput } from './plan-input.ts'

/** Returns the version and a short hash of the settings for a plan's input. */
export function generatedBy({
  config,
  defaults,
  dialect,
}: PlanInput['setup']): Pick<PlanInput, 'generator' | 'settings'> {
  const settings = hashText(JSON.stringify([dialect, config, defaults])).slice(0, 12)
  return { generator: readVersion(), settings }
}

/** All packages are released together, and have one version. */
function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
