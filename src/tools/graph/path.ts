/** Makes an id a part of a path. A lone half of a character, which no URL can have, does not end the run of all mailboxes. */
export const segment = (id: string): string => encodeURIComponent(id.toWellFormed())
