export { snowflake, type SnowflakeOptions } from './snowflake.ts'
