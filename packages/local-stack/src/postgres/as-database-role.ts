/** The address of a database of this machine as one of the roles has it: nobody needs a password here. */
export const asDatabaseRole = (url: string, role: 'leadback_owner' | 'leadback_app'): string => {
  const own = new URL(url);
  own.username = role;
  return own.href;
};
