import { fillConfig } from '@stagecraft/core/run'
import { stringify } from 'yaml'
import { loadConfig } from '../files/load-config.ts'

/** `stagecraft config --print`: the configuration with every default filled in, as YAML. */
export async function configCommand(flags: { readonly config?: string }): Promise<void> {
  const { config, file } = await loadConfig(flags.config)
  const origin =
    file === undefined
      ? 'there is no stagecraft.yml; these are the defaults'
      : `from ${file}, with all defaults`
  // The default of the command line; see `chooseBackend`.
  const backend = config.backend && { onFailure: 'fallback' as const, ...config.backend }
  const filled = fillConfig({ ...config, ...(backend && { backend }) })
  process.stdout.write(`# ${origin}\n${stringify(filled)}`)
}
