import { loadPackage } from '@stagecraft/spec'
import type { SnowflakeDriver } from './driver-types.ts'

/** In a variable, because the types of the package are not installed. */
const PACKAGE: string = 'snowflake-sdk'

/**
 * Settings that the driver reads only from the environment. They turn off its reports about the connection,
 * its requests to metadata services of clouds, and a native library with its reports. Values that are already
 * set remain. https://github.com/snowflakedb/snowflake-connector-nodejs/tree/v3.3.0/lib/telemetry
 */
const QUIET = {
  SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: 'true',
  SNOWFLAKE_DISABLE_PLATFORM_DETECTION: 'true',
  SNOWFLAKE_DISABLE_MINICORE: 'true',
}

export async function loadDriver(): Promise<SnowflakeDriver> {
  for (const [name, value] of Object.entries(QUIET)) process.env[name] ??= value // it reads them while it loads
  const { default: driver } = await loadPackage({
    packageName: PACKAGE,
    neededBy: 'this method of signing in to Snowflake',
    instead:
      'sign in without it: with a key pair (private_key_path), a programmatic access token or OAuth (authenticator, token)',
    load: async () => (await import(PACKAGE)) as { readonly default: SnowflakeDriver },
  })
  return driver
}
