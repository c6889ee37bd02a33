import { type Command, Option } from 'commander'
import type { LineageFlags } from '../commands/lineage.ts'
import { sqlOptions } from './options.ts'

const NOTES = `
Names: a model, seed, snapshot or exposure (stg_shop__orders), a source table (shop.orders), or a column of one
(fct_orders.total, shop.orders.amount). Nothing is run, and no warehouse is contacted.

For a column, the output also lists the places in models that break without it, and everything downstream.
Columns need the package @polyglot-sql/sdk next to stagecraft; what cannot be read is listed as not known.`

/** `stagecraft lineage`. */
export function addLineage(program: Command): void {
  sqlOptions(program.command('lineage').description('show the inputs and the readers of a model or column'))
    .argument('<name>', 'model, source table, exposure, or a column of one')
    .addOption(new Option('--up', 'show only its inputs').conflicts('down'))
    .option('--down', 'show only its readers')
    .addOption(
      new Option('--format <name>', 'output format')
        .choices(['text', 'json', 'mermaid', 'openlineage'])
        .default('text'),
    )
    .option('--output <file>', 'write the output to a file (default: standard output)')
    .addHelpText('after', NOTES)
    .action(async (name: string, flags: LineageFlags) => {
      const { lineageCommand } = await import('../commands/lineage.ts')
      await lineageCommand(name, flags)
    })
}
