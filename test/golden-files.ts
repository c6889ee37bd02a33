import { findCases, type GoldenCase, produce } from '@stagecraft/cli/golden'
import type { DialectName } from '@stagecraft/spec'
import { goldenFolder } from './paths.ts'

/** A file that a golden case generates. */
export interface ProducedFile {
  readonly golden: GoldenCase
  readonly dialect: DialectName
  readonly path: string
  readonly content: string
}

/** Every file that the golden cases generate, errors and warnings left out. */
export async function producedFiles(): Promise<readonly ProducedFile[]> {
  const cases = await findCases(goldenFolder)
  const produced = await Promise.all(
    cases.map(async (golden) => {
      const dialect = golden.input.dialect ?? golden.config.dialect
      const files = Object.entries(await produce(golden)).filter(([path]) => !path.endsWith('.json'))
      return dialect ? files.map(([path, content]) => ({ golden, dialect, path, content })) : []
    }),
  )
  return produced.flat()
}
