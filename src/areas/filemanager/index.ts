export { filemanager } from './area.ts'
