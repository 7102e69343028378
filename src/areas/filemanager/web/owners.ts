/**
 * Returns the owner and group of an entry for display; accounts that the user does not administer appear as
 * numbers.
 */
export function ownerName(owner: string): string {
  return owner === '0' ? 'root' : owner
}
