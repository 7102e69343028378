export { dnslb } from './area.ts'
