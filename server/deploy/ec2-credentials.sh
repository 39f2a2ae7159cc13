#!/usr/bin/env bash
# Prints the credentials of the role of an EC2 machine as JSON, for DEALS_S3_CREDENTIALS_COMMAND of remote.env.
#
#   ec2-credentials.sh
#
# From the environment: DEALS_EC2_METADATA, the address of the metadata service (http://169.254.169.254).
set -euo pipefail

base=${DEALS_EC2_METADATA:-http://169.254.169.254}/latest
ask() { curl --silent --show-error --fail --max-time 5 --header @- "$@"; }

token=$(ask --request PUT "$base/api/token" <<<'X-aws-ec2-metadata-token-ttl-seconds: 60')
# Secrets are never in a command line, which every user can see.
get() { ask "$base/meta-data/iam/security-credentials/$1" <<<"X-aws-ec2-metadata-token: $token"; }

role=$(get '')
get "$role" | sed 's/"Token"/"SessionToken"/'
