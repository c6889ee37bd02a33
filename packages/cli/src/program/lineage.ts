import { DIALECT_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'
import type { LineageFlags } from '../commands/lineage.ts'

const NOTES = `
Names: a model, seed, snapshot or exposure (stg_shop__orders), a source table (shop.orders), or a column of one
(fct_orders.total, shop.orders.amount). Nothing of the project is run, and no warehouse is asked.

For a column, the places in models that no longer work without it are listed too, with all that builds on them.
Columns need the package @polyglot-sql/sdk beside stagecraft; what cannot be read is listed as not known.`

/** `stagecraft lineage`. */
export function addLineage(program: Command): void {
  program
    .command('lineage')
    .description('show what a model or column is made of, and what is made of it')
    .argument('<name>', 'model, source table, exposure, or a column of one')
    .addOption(new Option('--up', 'only what it is made of').conflicts('down'))
    .option('--down', 'only what is made of it')
    .addOption(
      new Option('--format <name>', 'how to print')
        .choices(['text', 'json', 'mermaid', 'openlineage'])
        .default('text'),
    )
    .option('--output <file>', 'write it to a file (default: standard output)')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it (default: the current one)')
    .addOption(new Option('--dialect <name>', 'how the SQL is spelled').choices(DIALECT_NAMES))
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
    .addHelpText('after', NOTES)
    .action(async (name: string, flags: LineageFlags) => {
      const { lineageCommand } = await import('../commands/lineage.ts')
      await lineageCommand(name, flags)
    })
}
