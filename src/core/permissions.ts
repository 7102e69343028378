/** The permissions that can be granted, with their titles. */
export const permissions = {
  websites_management: 'Manage websites and their files',
  administrative_operations: 'Administer services of the host',
  plugins_management: 'Enable and disable plugins',
  booting_users_management: 'Manage users',
  terminal_access: 'Open a terminal',
} as const

export type PermissionSlug = keyof typeof permissions
export const permissionSlugs = Object.keys(permissions) as readonly PermissionSlug[]
