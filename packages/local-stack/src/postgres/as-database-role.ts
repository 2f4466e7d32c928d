/** The URL of a local database for a role; local roles need no password. */
export const asDatabaseRole = (url: string, role: 'leadback_owner' | 'leadback_app'): string => {
  const own = new URL(url);
  own.username = role;
  return own.href;
};
