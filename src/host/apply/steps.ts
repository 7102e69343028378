export { type ApiConnection, type ApiRequest, ApiRefused, apiStep } from './steps/api-step.ts'
export { type EditBefore, editedFile, type Grammar } from './steps/edited-file.ts'
export { installStep } from './steps/install-step.ts'
export { plannedObject } from './steps/planned-object.ts'
export { type FileContents, ownedFiles } from './steps/owned-files.ts'
export { serviceOf, type ServiceState, serviceStep, type ServiceControl } from './steps/service-step.ts'
export {
  identifier,
  sql,
  type SqlConnection,
  type SqlRow,
  type SqlStatement,
  sqlStep,
} from './steps/sql-step.ts'
