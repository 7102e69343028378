export { telemetry } from './area.ts'
