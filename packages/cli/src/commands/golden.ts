import { printGoldenReport } from '../golden/report.ts'
import { runGolden } from '../golden/run-golden.ts'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'

/** `stagecraft golden`: exits with 1 when a case differs. */
export async function goldenCommand(
  folder: string,
  { update = false }: { readonly update?: boolean },
): Promise<void> {
  const results = await runGolden(folder, { update })
  printGoldenReport(results)
  if (results.some(({ status }) => status === 'different')) process.exitCode = EXIT_DIFFERENCE
}
