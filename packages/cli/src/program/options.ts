import { BACKEND_NAMES, DIALECT_NAMES, PRESET_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'

export function catalogOptions(command: Command): Command {
  return command
    .option('--catalog <string>', 'where columns come from (default: catalog in stagecraft.yml)')
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
}

export function backendOptions(command: Command): Command {
  return command
    .addOption(new Option('--backend <name>', 'ask a language model too').choices(BACKEND_NAMES))
    .option('--no-backend', 'rules alone, whatever stagecraft.yml says')
    .option('--model <name>', "the provider's name of the model")
    .option('--base-url <url>', 'where the API of the backend is')
    .addOption(
      new Option('--on-failure <what>', 'without a usable answer of the backend (default: fallback)').choices(
        ['fallback', 'error'],
      ),
    )
    .option('--redact-names', 'send the backend types and no names')
    .option('--refresh', 'ask the backend again for what it answered before')
}

/** Adds the options that shape the SQL and the YAML. */
export function outputOptions(command: Command): Command {
  return command
    .addOption(new Option('--dialect <name>', 'SQL to write').choices(DIALECT_NAMES))
    .option('--schema <name>', 'the schema of tables that the catalog names without one')
    .option('--dbt-version <version>', 'oldest dbt that must read the YAML: 1.8, 1.9, 2')
    .addOption(new Option('--preset <name>', 'set of defaults').choices(PRESET_NAMES))
}
