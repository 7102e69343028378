export { type AccountEdit, accountEdits, type AccountEffects } from './account-edits.ts'
export { assertMayActAs } from './act-as.ts'
export { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'
export { users } from './area.ts'
export { type Belongings, belongings, type Deletion } from './belongings.ts'
export { createFirstUser, createSuperuser, replacePassword } from './command-line.ts'
export type { Users } from './context.ts'
export {
  accountInChange,
  accountOf,
  apiKeyOf,
  findApiKey,
  findNewKeys,
  findUser,
  findUsers,
  findUserByEmail,
  findUserByUsername,
  listAllUsers,
  loadUser,
  markKeyUsed,
  permissionsOf,
} from './find.ts'
export { deleteUser } from './delete-user.ts'
export { type Homes, loadAccount, openHomes } from './homes.ts'
export { rightsOfKey } from './key-limits.ts'
export { detailsOfLastingAccess, lastingAccess } from './lasting-access.ts'
export { accountLock, userLock } from './locks.ts'
export { ApiKeys, KeyDraft, NewApiKey, NewPassword, Profile, User, type UserEdit } from './model.ts'
export { hashNewPassword, noPassword, verifyPassword } from './passwords.ts'
export {
  AccessUnsuitable,
  AccountFixed,
  EmailTaken,
  LastSuperuser,
  TimeZoneUnknown,
  UsernameTaken,
} from './problems.ts'
export { editProfile } from './profile.ts'
export { assertMayEdit, assertWholeRights } from './rights.ts'
export { type ApiKeyRow, showUser, type UserRow } from './store.ts'
export { ownedSites } from './owned-sites.ts'
export { createUser, editUser, endSessions, setPasswordHash, setPermissions, userRow } from './users.ts'
