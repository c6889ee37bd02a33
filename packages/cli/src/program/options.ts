import { BACKEND_NAMES, DIALECT_NAMES, PRESET_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'

export function catalogOptions(command: Command): Command {
  return command
    .option(
      '--catalog <string>',
      'source of columns (default: catalog in stagecraft.yml, or the profile of the dbt project)',
    )
    .option('--target <name>', 'connect as dbt does, to this target of its profile')
    .option('--dbt-profile <name>', 'connect as dbt does, with this profile')
    .option('--profiles-dir <dir>', 'folder with the profiles.yml of dbt')
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
}

export function backendOptions(command: Command): Command {
  return command
    .addOption(new Option('--backend <name>', 'also ask a language model').choices(BACKEND_NAMES))
    .option('--no-backend', 'use the rules alone, even if stagecraft.yml names a backend')
    .option('--model <name>', "the provider's name for the model")
    .option('--base-url <url>', "address of the backend's API")
    .addOption(
      new Option(
        '--on-failure <what>',
        'behavior if the backend gives no usable answer (default: fallback)',
      ).choices(['fallback', 'error']),
    )
    .option('--redact-names', 'send types to the backend, but no names')
    .option('--refresh', 'ask the backend again instead of using cached answers')
}

/** Adds the options for the form of the SQL and YAML. */
export function outputOptions(command: Command): Command {
  return command
    .addOption(new Option('--dialect <name>', 'SQL dialect to write').choices(DIALECT_NAMES))
    .option('--schema <name>', 'schema of tables that the catalog names without one')
    .option('--dbt-version <version>', 'oldest dbt version that must accept the YAML: 1.7, 1.8, 1.9, 2')
    .addOption(new Option('--preset <name>', 'preset of defaults').choices(PRESET_NAMES))
}
