const escapes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Removes colours and other control sequences of a terminal (ECMA-48) from a line of a log. */
export const plainText = (line: string): string => line.replace(escapes, '')
